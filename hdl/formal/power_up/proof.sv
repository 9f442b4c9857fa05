// Registers power up to the value that `initial` gives them. With a quiet line the player is then at
// rest, every state machine in its idle state, with an empty board and its own line high, and stays
// so permanently; this includes that it never sends first. The outputs of the legality check and the
// windows are cut off and take any value: no part reads them.
module proof(input wire clock);
    wire tx, playing, thinking;
    wire [5:0] flags;
    player_small dut(.clock, .reset(1'b0), .rx(1'b1), .tx, .playing, .thinking, .flags);

    always @(*) assert (tx && !playing && !thinking && flags == 0);

`ifdef REGISTERS
    (* hierconn *) wire [3:0] \dut.controller.state$q ;
    (* hierconn *) wire \dut.controller.in_game$q ;
    (* hierconn *) wire \dut.controller.opponent_side$q ;
    (* hierconn *) wire [5:0] \dut.controller.sticky_flags$q ;
    (* hierconn *) wire \dut.controller.reset_sampled$q ;
    (* hierconn *) wire \dut.controller.reset_held$q ;
    (* hierconn *) wire [1:0] \dut.controller.uart_rx.state$q ;
    (* hierconn *) wire \dut.controller.uart_rx.sync_one$q ;
    (* hierconn *) wire \dut.controller.uart_rx.sync_two$q ;
    (* hierconn *) wire \dut.controller.uart_rx.done$q ;
    (* hierconn *) wire \dut.controller.uart_rx.stop_bit_low$q ;
    (* hierconn *) wire [1:0] \dut.controller.parser.state$q ;
    (* hierconn *) wire \dut.controller.parser.in_game$q ;
    (* hierconn *) wire \dut.controller.parser.complete$q ;
    (* hierconn *) wire [1:0] \dut.generator.job$q ;
    (* hierconn *) wire [20:0] \dut.generator.side_0_used$q ;
    (* hierconn *) wire [20:0] \dut.generator.side_1_used$q ;
    (* hierconn *) wire [195:0] \dut.generator.store.side_0$q ;
    (* hierconn *) wire [195:0] \dut.generator.store.side_1$q ;
    (* hierconn *) wire \dut.scan.busy$q ;
    (* hierconn *) wire \dut.scan.out_valid$q ;
    (* hierconn *) wire [12:0] \dut.scan.pending$0$q ;
    (* hierconn *) wire [12:0] \dut.scan.pending$1$q ;
    (* hierconn *) wire [12:0] \dut.scan.pending$2$q ;
    (* hierconn *) wire [12:0] \dut.scan.pending$3$q ;
    (* hierconn *) wire [12:0] \dut.scan.pending$4$q ;
    (* hierconn *) wire [12:0] \dut.scan.pending$5$q ;
    (* hierconn *) wire [12:0] \dut.scan.pending$6$q ;
    (* hierconn *) wire \dut.policy_scorer.stage_valid$0$q ;
    (* hierconn *) wire \dut.policy_scorer.stage_valid$1$q ;
    (* hierconn *) wire \dut.policy_scorer.stage_valid$2$q ;
    (* hierconn *) wire \dut.policy_scorer.stage_valid$3$q ;
    (* hierconn *) wire \dut.policy_scorer.best_found$q ;
    (* hierconn *) wire [3:0] \dut.controller.uart_tx.bits_left$q ;
    (* hierconn *) wire [9:0] \dut.controller.uart_tx.frame$q ;

    always @(*) begin
        assert (\dut.controller.state$q == 0);
        assert (\dut.controller.in_game$q == 0);
        assert (\dut.controller.opponent_side$q == 0);
        assert (\dut.controller.sticky_flags$q == 0);
        assert (\dut.controller.reset_sampled$q == 0);
        assert (\dut.controller.reset_held$q == 0);
        assert (\dut.controller.uart_rx.state$q == 0);
        assert (\dut.controller.uart_rx.sync_one$q == 0);
        assert (\dut.controller.uart_rx.sync_two$q == 0);
        assert (\dut.controller.uart_rx.done$q == 0);
        assert (\dut.controller.uart_rx.stop_bit_low$q == 0);
        assert (\dut.controller.parser.state$q == 0);
        assert (\dut.controller.parser.in_game$q == 0);
        assert (\dut.controller.parser.complete$q == 0);
        assert (\dut.generator.job$q == 0);
        assert (\dut.generator.side_0_used$q == 0);
        assert (\dut.generator.side_1_used$q == 0);
        assert (\dut.generator.store.side_0$q == 0);
        assert (\dut.generator.store.side_1$q == 0);
        assert (\dut.scan.busy$q == 0);
        assert (\dut.scan.out_valid$q == 0);
        assert (\dut.scan.pending$0$q == 0);
        assert (\dut.scan.pending$1$q == 0);
        assert (\dut.scan.pending$2$q == 0);
        assert (\dut.scan.pending$3$q == 0);
        assert (\dut.scan.pending$4$q == 0);
        assert (\dut.scan.pending$5$q == 0);
        assert (\dut.scan.pending$6$q == 0);
        assert (\dut.policy_scorer.stage_valid$0$q == 0);
        assert (\dut.policy_scorer.stage_valid$1$q == 0);
        assert (\dut.policy_scorer.stage_valid$2$q == 0);
        assert (\dut.policy_scorer.stage_valid$3$q == 0);
        assert (\dut.policy_scorer.best_found$q == 0);
        assert (\dut.controller.uart_tx.bits_left$q == 0);
        assert (\dut.controller.uart_tx.frame$q == 0);
    end
`endif
endmodule
