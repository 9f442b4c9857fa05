// Whatever the scores are, the placement that the scorer keeps is one that it was given since it was
// restarted; there is one as soon as all that it was given has been scored; and it holds still until the
// next one is given.
//
// A restart meets an empty pipeline (jobs).
module proof(input wire clock, input wire restart, input wire valid, input wire [6:0] orientation,
    input wire [3:0] x, input wire [3:0] y);
    wire found, idle;
    wire [6:0] best_orientation;
    wire [3:0] best_x, best_y;
    policy_scorer dut(.clock, .restart, .valid, .orientation, .x, .y, .found, .idle, .best_orientation, .best_x, .best_y);
    always @(*) if (restart) assume (idle && !valid);

    // Any placement: what is shown for it holds for all.
    (* anyconst *) reg [14:0] some;
    // It has been given, any has been given, since the last restart.
    reg given = 0, any = 0;
    wire [14:0] best = {best_y, best_x, best_orientation};
    reg [15:0] past = 0;
    reg rested = 0;
    always @(posedge clock) begin
        given <= !restart && (given || valid && {y, x, orientation} == some);
        any <= !restart && (any || valid);
        past <= {found, best};
        rested <= idle && !restart;
    end
    always @(*) begin
        if (found && best == some) assert (given);
        if (found) assert (any);
        if (idle && any) assert (found);
        if (rested) assert ({found, best} == past);
    end

`ifdef INVARIANT
    // What holds in every state that can be reached, so that one cycle proves the next.
    (* hierconn *) wire [14:0] \dut.staged$0$q , \dut.staged$1$q , \dut.staged$2$q , \dut.staged$3$q ;
    (* hierconn *) wire \dut.stage_valid$0$q , \dut.stage_valid$1$q , \dut.stage_valid$2$q , \dut.stage_valid$3$q ;
    always @(*) begin
        if (\dut.stage_valid$0$q || \dut.stage_valid$1$q || \dut.stage_valid$2$q || \dut.stage_valid$3$q ) assert (any);
        if (\dut.stage_valid$0$q && \dut.staged$0$q == some) assert (given);
        if (\dut.stage_valid$1$q && \dut.staged$1$q == some) assert (given);
        if (\dut.stage_valid$2$q && \dut.staged$2$q == some) assert (given);
        if (\dut.stage_valid$3$q && \dut.staged$3$q == some) assert (given);
    end
`endif
endmodule
