// The register between the controller and the search of a player: each job reaches the search one cycle after
// the controller asked for it, once, with its side and placement, and finds the search at rest; what the
// search lists and what it found reach the controller in the same cycle.
//
// Controller and search are left out, and take any value but for this:
// - The controller asks for one job at a time, while all is idle, and never with a clearing (jobs: of the same
//   controller in the pattern player).
// - The search rests until a job or a clearing comes (tree_jobs).
module proof(input wire clock, input wire reset, input wire rx);
    search_player_small dut(.clock, .reset, .rx);

    (* hierconn *) wire \dut.controller$clear , \dut.controller$start_is_a , \dut.controller$side ;
    (* hierconn *) wire \dut.controller$list , \dut.controller$think , \dut.controller$place ;
    (* hierconn *) wire \dut.controller$deadline , \dut.controller$superseded , \dut.controller$abort ;
    (* hierconn *) wire [6:0] \dut.controller$orientation ;
    (* hierconn *) wire [3:0] \dut.controller$x , \dut.controller$y ;
    (* hierconn *) wire \dut.controller$idle , \dut.controller$listed , \dut.controller$found ;
    (* hierconn *) wire [6:0] \dut.controller$listed_orientation , \dut.controller$best_orientation ;
    (* hierconn *) wire [3:0] \dut.controller$listed_x , \dut.controller$listed_y ;
    (* hierconn *) wire [3:0] \dut.controller$best_x , \dut.controller$best_y ;
    (* hierconn *) wire \dut.searcher$clear , \dut.searcher$start_is_a , \dut.searcher$side ;
    (* hierconn *) wire \dut.searcher$list , \dut.searcher$think , \dut.searcher$place , \dut.searcher$stop ;
    (* hierconn *) wire \dut.searcher$idle , \dut.searcher$listed , \dut.searcher$found ;
    (* hierconn *) wire [14:0] \dut.searcher$placement , \dut.searcher$listed_placement , \dut.searcher$best ;

    wire [2:0] asked = {\dut.controller$list , \dut.controller$think , \dut.controller$place };
    wire [2:0] jobs = {\dut.searcher$list , \dut.searcher$think , \dut.searcher$place };
    wire [17:0] operands = {\dut.controller$start_is_a , \dut.controller$side ,
        \dut.controller$deadline || \dut.controller$superseded || \dut.controller$abort ,
        \dut.controller$y , \dut.controller$x , \dut.controller$orientation };
    reg [2:0] past_asked = 0;
    reg [17:0] past_operands = 0;
    reg past_clear = 0, clear_before = 0, rested = 0;
    always @(posedge clock) begin
        past_asked <= asked;
        past_operands <= operands;
        past_clear <= \dut.controller$clear ;
        clear_before <= past_clear;
        rested <= \dut.searcher$idle && jobs == 0 && !\dut.searcher$clear ;
    end

    always @(*) begin
        if (asked != 0) assume (\dut.controller$idle && !\dut.controller$clear && (asked & (asked - 3'd1)) == 0);
        if (rested) assume (\dut.searcher$idle );

        // Jobs come a cycle later, none is lost or doubled, and each finds the search at rest.
        assert (jobs == past_asked);
        assert ({\dut.searcher$start_is_a , \dut.searcher$side , \dut.searcher$stop , \dut.searcher$placement }
            == past_operands);
        if (jobs != 0) assert (\dut.searcher$idle && (jobs & (jobs - 3'd1)) == 0 && !\dut.searcher$clear );
        // A clearing is passed on once, however long it lasts.
        assert (\dut.searcher$clear == (past_clear && !clear_before));
        // A job on its way counts as one that is in progress.
        assert (\dut.controller$idle == (\dut.searcher$idle && jobs == 0 && !\dut.searcher$clear ));
        // What the search reports.
        assert (\dut.controller$listed == \dut.searcher$listed );
        assert ({\dut.controller$listed_y , \dut.controller$listed_x , \dut.controller$listed_orientation }
            == \dut.searcher$listed_placement );
        assert (\dut.controller$found == (\dut.searcher$found && jobs == 0 && !\dut.searcher$clear ));
        assert ({\dut.controller$best_y , \dut.controller$best_x , \dut.controller$best_orientation }
            == \dut.searcher$best );
    end
endmodule
