// The register between the controller and the search of a player: each job reaches the search once, with its
// side and placement, in a cycle in which the search is at rest, and in no other cycle. That is the cycle after the controller asked for
// it, or the first one in which the search in the opponent's time, which the job stops, has ended. A request for a
// placement also waits for the opening book, and does not reach the search if the book has a reply. What the search
// lists reaches the controller in the same cycle. What it or the book found reaches the check, and the controller gets
// the placement of the check, which has the legal set of side 0 listed meanwhile.
//
// Controller, book, check and search are left out, and take any value but for this:
// - The controller asks for one job at a time, while all is idle, and never with a clearing (jobs: of the same
//   controller in the pattern player).
// - The search rests until a job or a clearing comes (tree_jobs).
// - The check rests until a request or after a clearing, and requests a list only while it is busy and the search rests
//   (placement_check).
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
    (* hierconn *) wire \dut.searcher$ponder ;
    (* hierconn *) wire \dut.searcher$idle , \dut.searcher$listed , \dut.searcher$found ;
    (* hierconn *) wire [14:0] \dut.searcher$placement , \dut.searcher$listed_placement , \dut.searcher$best ;
    (* hierconn *) wire \dut.list$q , \dut.think$q , \dut.place$q ;
    (* hierconn *) wire \dut.placed$q , \dut.pondering$q , \dut.from_book$q ;
    (* hierconn *) wire \dut.book$clear , \dut.book$start_is_a , \dut.book$side , \dut.book$place ;
    (* hierconn *) wire \dut.book$think , \dut.book$ready , \dut.book$found ;
    (* hierconn *) wire [14:0] \dut.book$placement , \dut.book$reply ;
    (* hierconn *) wire \dut.check$clear , \dut.check$think , \dut.check$idle , \dut.check$search_found ;
    (* hierconn *) wire \dut.check$listed , \dut.check$busy , \dut.check$list , \dut.check$found ;
    (* hierconn *) wire [14:0] \dut.check$proposed , \dut.check$listed_placement , \dut.check$placement ;

    wire [2:0] asked = {\dut.controller$list , \dut.controller$think , \dut.controller$place };
    wire [2:0] jobs = {\dut.list$q , \dut.think$q , \dut.place$q };
    wire taken = jobs != 0 && \dut.searcher$idle && !(\dut.think$q && !\dut.book$ready );
    wire [16:0] operands = {\dut.controller$start_is_a , \dut.controller$side ,
        \dut.controller$y , \dut.controller$x , \dut.controller$orientation };
    wire at_rest = \dut.searcher$idle && jobs == 0 && !\dut.searcher$clear ;
    // The job that the search has not been given, with its operands.
    reg [2:0] due = 0;
    reg [16:0] due_operands = 0;
    // The player's placement is the last job; the search in the opponent's time has begun since.
    reg own = 0, pondering = 0;
    // The last placement that was asked for is that of the book.
    reg of_book = 0;
    reg past_clear = 0, clear_before = 0, rested = 0;
    reg [2:0] past_events = 0;
    reg past_pondering = 0, past_waiting = 0;
    reg check_rested = 1;
    always @(posedge clock) begin
        if (asked != 0) begin
            due <= asked;
            due_operands <= operands;
        end else if (taken || \dut.controller$clear ) due <= 0;
        if (\dut.searcher$clear ) of_book <= 0;
        else if (\dut.think$q && (taken || \dut.controller$clear )) of_book <= \dut.book$found ;
        if (\dut.searcher$clear || \dut.searcher$ponder ) own <= 0;
        else if (jobs[0] && taken) own <= !\dut.searcher$side ;
        if (\dut.searcher$ponder ) pondering <= 1;
        else if (jobs != 0 || \dut.searcher$clear ) pondering <= 0;
        past_clear <= \dut.controller$clear ;
        clear_before <= past_clear;
        rested <= \dut.searcher$idle && !\dut.searcher$list && !\dut.searcher$think && !\dut.searcher$place
            && !\dut.searcher$clear && !\dut.searcher$ponder ;
        past_events <= {\dut.controller$deadline , \dut.controller$abort , \dut.controller$superseded };
        past_pondering <= pondering;
        check_rested <= \dut.check$clear || !\dut.check$busy && !\dut.check$think ;
        past_waiting <= pondering && (jobs != 0 || \dut.searcher$clear ) && !\dut.searcher$idle ;
    end

    always @(*) begin
        if (asked != 0) assume (\dut.controller$idle && !\dut.controller$clear && (asked & (asked - 3'd1)) == 0);
        if (rested) assume (\dut.searcher$idle );
        if (check_rested) assume (!\dut.check$busy );
        if (\dut.check$list ) assume (\dut.check$busy && \dut.searcher$idle && !\dut.check$clear );

        // A job waits until the search is at rest or a clearing discards it; it then leaves the register. None is
        // lost or doubled.
        assert (jobs == due);
        if (jobs != 0) assert ({\dut.searcher$start_is_a , \dut.searcher$side , \dut.searcher$placement }
            == due_operands);
        if (jobs != 0) assert ((jobs & (jobs - 3'd1)) == 0 && !\dut.searcher$clear && !\dut.searcher$ponder );
        // The book gets the same operands, and each placement and clearing once.
        assert (\dut.book$think == jobs[1]);
        if (jobs[1]) assert (\dut.book$start_is_a == due_operands[16]);
        assert (\dut.book$clear == \dut.searcher$clear );
        assert (\dut.book$place == (jobs[0] && (taken || \dut.controller$clear )));
        if (jobs[0]) assert ({\dut.book$side , \dut.book$placement } == due_operands[15:0]);
        // The search sees no job while it is busy, and a request for a placement once the book has none.
        // A list of the check comes at rest, when no job does.
        assert (\dut.searcher$list == (jobs[2] && \dut.searcher$idle || \dut.check$list ));
        assert (\dut.searcher$place == (jobs[0] && \dut.searcher$idle ));
        if (\dut.check$list ) assert (jobs == 0 && !\dut.searcher$side && !\dut.searcher$ponder && !\dut.searcher$clear );
        assert (\dut.searcher$think == (jobs[1] && \dut.searcher$idle && \dut.book$ready && !\dut.book$found ));
        // A clearing is passed on once, however long it lasts.
        assert (\dut.searcher$clear == (past_clear && !clear_before));
        // A job on its way counts as one that is in progress, a search in the opponent's time does not.
        // So does a check.
        assert (\dut.controller$idle
            == ((\dut.searcher$idle || pondering) && jobs == 0 && !\dut.searcher$clear && !\dut.check$busy ));
        // That search begins once, when the player's placement has been written and no job has come.
        assert (\dut.searcher$ponder == (own && at_rest));
        // A search is stopped a cycle after the deadline, a reset, and a newer code; a search in the opponent's time
        // also by a job that waits for it, and not by an idle controller.
        assert (\dut.searcher$stop
            == (past_events[2] || past_events[1] || past_events[0] && !past_pondering || past_waiting));
        // Each request for a placement is checked once, and a clearing ends the check.
        assert (\dut.check$think == (jobs[1] && (taken || \dut.controller$clear )));
        assert (\dut.check$clear == \dut.searcher$clear );
        assert (\dut.check$idle == \dut.searcher$idle && \dut.check$search_found == \dut.searcher$found );
        assert (\dut.check$proposed == (of_book ? \dut.book$reply : \dut.searcher$best ));
        assert (\dut.check$listed == \dut.searcher$listed );
        assert (\dut.check$listed_placement == \dut.searcher$listed_placement );
        // What the search lists for the controller, and what the check reports.
        assert (\dut.controller$listed == (\dut.searcher$listed && !\dut.check$busy ));
        assert ({\dut.controller$listed_y , \dut.controller$listed_x , \dut.controller$listed_orientation }
            == \dut.searcher$listed_placement );
        assert (\dut.controller$found == (\dut.check$found && jobs == 0 && !\dut.searcher$clear ));
        assert ({\dut.controller$best_y , \dut.controller$best_x , \dut.controller$best_orientation }
            == \dut.check$placement );

        // What holds of the registers in every state that can be reached.
        assert (pondering == \dut.pondering$q );
        assert (of_book == \dut.from_book$q );
        if (own) assert (\dut.placed$q && jobs == 0 && !pondering);
        if (pondering) assert (!\dut.placed$q );
        if (\dut.check$busy ) assert (jobs == 0 && !own && !pondering);
        if (\dut.placed$q && !own) assert (jobs[0] && !\dut.searcher$side || \dut.searcher$clear );
    end
endmodule
