// Registers power up to the value that `initial` gives them. With a quiet line the player is then at
// rest, every state machine in its idle state, with an empty board and its own line high, and stays
// so for ever; this includes that it never speaks first. What the judge and the windows say is cut off
// and takes any value: nobody listens.
module proof(input wire clock);
    wire tx, playing, thinking;
    wire [5:0] flags;
    player_small dut(.clock, .reset(1'b0), .rx(1'b1), .tx, .playing, .thinking, .flags);

    always @(*) assert (tx && !playing && !thinking && flags == 0);

`ifdef REGISTERS
    (* hierconn *) wire [3:0] \dut.controller.state$q ;
    (* hierconn *) wire \dut.controller.known$q ;
    (* hierconn *) wire \dut.controller.rivals$q ;
    (* hierconn *) wire [5:0] \dut.controller.trouble$q ;
    (* hierconn *) wire \dut.controller.reset_one$q ;
    (* hierconn *) wire \dut.controller.reset_two$q ;
    (* hierconn *) wire [1:0] \dut.controller.receiver.state$q ;
    (* hierconn *) wire \dut.controller.receiver.sync_one$q ;
    (* hierconn *) wire \dut.controller.receiver.sync_two$q ;
    (* hierconn *) wire \dut.controller.receiver.done$q ;
    (* hierconn *) wire \dut.controller.receiver.broken$q ;
    (* hierconn *) wire [1:0] \dut.controller.line.state$q ;
    (* hierconn *) wire \dut.controller.line.game$q ;
    (* hierconn *) wire \dut.controller.line.full$q ;
    (* hierconn *) wire [1:0] \dut.generator.job$q ;
    (* hierconn *) wire [20:0] \dut.generator.mine_used$q ;
    (* hierconn *) wire [20:0] \dut.generator.theirs_used$q ;
    (* hierconn *) wire [195:0] \dut.generator.store.mine$q ;
    (* hierconn *) wire [195:0] \dut.generator.store.theirs$q ;
    (* hierconn *) wire \dut.scan.busy$q ;
    (* hierconn *) wire \dut.scan.out_valid$q ;
    (* hierconn *) wire [12:0] \dut.scan.pending$0$q ;
    (* hierconn *) wire [12:0] \dut.scan.pending$1$q ;
    (* hierconn *) wire [12:0] \dut.scan.pending$2$q ;
    (* hierconn *) wire [12:0] \dut.scan.pending$3$q ;
    (* hierconn *) wire [12:0] \dut.scan.pending$4$q ;
    (* hierconn *) wire [12:0] \dut.scan.pending$5$q ;
    (* hierconn *) wire [12:0] \dut.scan.pending$6$q ;
    (* hierconn *) wire \dut.scorer.alive$0$q ;
    (* hierconn *) wire \dut.scorer.alive$1$q ;
    (* hierconn *) wire \dut.scorer.alive$2$q ;
    (* hierconn *) wire \dut.scorer.alive$3$q ;
    (* hierconn *) wire \dut.scorer.best_found$q ;
    (* hierconn *) wire [3:0] \dut.controller.sender.left$q ;
    (* hierconn *) wire [9:0] \dut.controller.sender.frame$q ;

    always @(*) begin
        assert (\dut.controller.state$q == 0);
        assert (\dut.controller.known$q == 0);
        assert (\dut.controller.rivals$q == 0);
        assert (\dut.controller.trouble$q == 0);
        assert (\dut.controller.reset_one$q == 0);
        assert (\dut.controller.reset_two$q == 0);
        assert (\dut.controller.receiver.state$q == 0);
        assert (\dut.controller.receiver.sync_one$q == 0);
        assert (\dut.controller.receiver.sync_two$q == 0);
        assert (\dut.controller.receiver.done$q == 0);
        assert (\dut.controller.receiver.broken$q == 0);
        assert (\dut.controller.line.state$q == 0);
        assert (\dut.controller.line.game$q == 0);
        assert (\dut.controller.line.full$q == 0);
        assert (\dut.generator.job$q == 0);
        assert (\dut.generator.mine_used$q == 0);
        assert (\dut.generator.theirs_used$q == 0);
        assert (\dut.generator.store.mine$q == 0);
        assert (\dut.generator.store.theirs$q == 0);
        assert (\dut.scan.busy$q == 0);
        assert (\dut.scan.out_valid$q == 0);
        assert (\dut.scan.pending$0$q == 0);
        assert (\dut.scan.pending$1$q == 0);
        assert (\dut.scan.pending$2$q == 0);
        assert (\dut.scan.pending$3$q == 0);
        assert (\dut.scan.pending$4$q == 0);
        assert (\dut.scan.pending$5$q == 0);
        assert (\dut.scan.pending$6$q == 0);
        assert (\dut.scorer.alive$0$q == 0);
        assert (\dut.scorer.alive$1$q == 0);
        assert (\dut.scorer.alive$2$q == 0);
        assert (\dut.scorer.alive$3$q == 0);
        assert (\dut.scorer.best_found$q == 0);
        assert (\dut.controller.sender.left$q == 0);
        assert (\dut.controller.sender.frame$q == 0);
    end
`endif
endmodule
