// Everything that board_memory, store, move_generator, scan, scorer_best and sent_move take for granted
// about their environment, as claims about the pattern player that surrounds them: its controller, its
// wiring and its chooser's control are read, while the parser, the receiver, the transmitter's pace and
// the verdicts of the legality check take any value at every cycle.
module proof(input wire clock, input wire reset, input wire rx);
    player_small dut(.clock, .reset, .rx);

    // The generator's ports.
    (* hierconn *) wire \dut.generator$clear , \dut.generator$side , \dut.generator$start_is_a ;
    (* hierconn *) wire \dut.generator$place , \dut.generator$stream , \dut.generator$idle ;
    (* hierconn *) wire \dut.generator$ready , \dut.generator$load ;
    (* hierconn *) wire [48:0] \dut.generator$footprint ;
    (* hierconn *) wire [4:0] \dut.generator$tile ;
    (* hierconn *) wire [3:0] \dut.generator$x , \dut.generator$y , \dut.generator$row ;
    (* hierconn *) wire [1:0] \dut.generator.job$q ;
    wire clear = \dut.generator$clear , side = \dut.generator$side ;
    wire start_is_a = \dut.generator$start_is_a , place = \dut.generator$place ;
    wire stream = \dut.generator$stream , idle = \dut.generator$idle ;
    wire [3:0] x = \dut.generator$x , y = \dut.generator$y ;
    wire [1:0] job = \dut.generator.job$q ;
    localparam NOTHING = 0, PLACE = 1, STREAM = 2;

    // The controller's ports.
    (* hierconn *) wire \dut.controller$list , \dut.controller$think , \dut.controller$idle ;
    (* hierconn *) wire \dut.controller$found , \dut.controller$listed ;
    (* hierconn *) wire [6:0] \dut.controller$orientation , \dut.controller$best_orientation ;
    (* hierconn *) wire [3:0] \dut.controller$best_x , \dut.controller$best_y ;
    (* hierconn *) wire \dut.controller$side , \dut.controller$place ;
    (* hierconn *) wire [3:0] \dut.controller$x , \dut.controller$y ;
    (* hierconn *) wire \dut.controller.reset_held$q , \dut.controller.reset_sampled$q ;
    (* hierconn *) wire [3:0] \dut.controller.state$q ;
    (* hierconn *) wire \dut.controller.opponent_side$q , \dut.controller.reply_timer$expired ;
    wire list = \dut.controller$list , think = \dut.controller$think ;
    wire chooser_idle = \dut.controller$idle , dropped = \dut.controller.reset_held$q ;
    wire [3:0] state = \dut.controller.state$q ;
    wire [15:0] best = {\dut.controller$found , \dut.controller$best_orientation , \dut.controller$best_x ,
        \dut.controller$best_y };

    // Scan and scorer.
    (* hierconn *) wire \dut.scan$ready , \dut.scan$load , \dut.scan$flush , \dut.scan$valid ;
    (* hierconn *) wire [3:0] \dut.scan$row ;
    (* hierconn *) wire \dut.policy_scorer$restart ;
    (* hierconn *) wire \dut.scan.busy$q , \dut.scan.out_valid$q ;
    (* hierconn *) wire [12:0] \dut.scan.pending$0$q , \dut.scan.pending$1$q , \dut.scan.pending$2$q ,
        \dut.scan.pending$3$q , \dut.scan.pending$4$q , \dut.scan.pending$5$q , \dut.scan.pending$6$q ;
    (* hierconn *) wire \dut.policy_scorer.stage_valid$0$q , \dut.policy_scorer.stage_valid$1$q , \dut.policy_scorer.stage_valid$2$q ,
        \dut.policy_scorer.stage_valid$3$q ;
    wire scan_empty = !\dut.scan.busy$q && !\dut.scan.out_valid$q
        && {\dut.scan.pending$0$q , \dut.scan.pending$1$q , \dut.scan.pending$2$q , \dut.scan.pending$3$q ,
        \dut.scan.pending$4$q , \dut.scan.pending$5$q , \dut.scan.pending$6$q } == 0;
    wire scorer_empty = !\dut.policy_scorer.stage_valid$0$q && !\dut.policy_scorer.stage_valid$1$q && !\dut.policy_scorer.stage_valid$2$q
        && !\dut.policy_scorer.stage_valid$3$q ;

    // The wires between them.
    `LEGAL_WIRES
    (* hierconn *) wire [6:0] \dut.scan$orientation , \dut.policy_scorer$orientation ,
        \dut.controller$listed_orientation , \dut.policy_scorer$best_orientation ;
    (* hierconn *) wire [3:0] \dut.scan$x , \dut.scan$y , \dut.policy_scorer$x , \dut.policy_scorer$y ,
        \dut.controller$listed_x , \dut.controller$listed_y , \dut.policy_scorer$best_x , \dut.policy_scorer$best_y ;
    (* hierconn *) wire \dut.policy_scorer$valid , \dut.policy_scorer$found ;
    wire [14:0] scanned = {\dut.scan$orientation , \dut.scan$x , \dut.scan$y };

    // Data of the rules for the orientation that is written.
    wire [48:0] rules_footprint;
    wire [4:0] rules_tile;
    orientations orientations(.orientation(\dut.controller$orientation ), .footprint(rules_footprint),
        .tile(rules_tile));

    // The cycle before.
    reg past_side = 0, past_start = 0, past_clear = 0, past_idle = 1, past_asked = 0;
    reg [3:0] past_y = 0;
    reg [15:0] past_best = 0;
    // A list or a search has been asked for and has not come to rest since.
    reg searching = 0;
    wire searching_now = searching && !chooser_idle;
    reg past_searching = 0;
    // The limit has passed since all was at rest: the controller waits no longer for what is in progress.
    reg given_up = 0;
    always @(posedge clock) begin
        past_side <= side;
        past_start <= start_is_a;
        past_clear <= clear;
        past_idle <= idle;
        past_asked <= list || think;
        past_y <= y;
        past_best <= best;
        searching <= list || think || searching_now;
        past_searching <= searching_now;
        given_up <= (given_up || \dut.controller.reply_timer$expired ) && !chooser_idle;
    end

    always @(*) begin
        // Jobs are asked for one at a time, while all is at rest, and never with a clearing.
        if (place || list || think) assert (chooser_idle && idle && scan_empty && scorer_empty && !clear);
        assert (!(place && stream) && !(list && think));
        assert (stream == (list || think));
        if (list) assert (side);
        if (think) assert (!side);
        // Whatever is listed is listed before all is at rest.
        if (\dut.controller$listed ) assert (!chooser_idle);
        // A clearing that meets a job lasts until that has ended; but for that and for a limit that passes,
        // the requests of the part that asked are constant.
        if (!idle && past_clear && !past_idle) assert (clear);
        if (!idle && !past_clear && !given_up) assert (side == past_side && start_is_a == past_start);
        if (job == PLACE && !past_clear && !given_up) assert (y == past_y);
        // What is written is the controller's placement, with the rules' cells and tile.
        assert (place == \dut.controller$place && side == \dut.controller$side );
        assert (x == \dut.controller$x && y == \dut.controller$y && \dut.generator$tile == rules_tile);
        if (place) assert (\dut.generator$footprint == rules_footprint);
        // The scan takes a row when it can, as the generator judged it. What it outputs goes to the scorer
        // and counts as listed, and what the scorer keeps is the controller's best placement.
        if (\dut.scan$load ) assert (\dut.scan$ready );
        assert (\dut.scan$load == \dut.generator$load && \dut.scan$row == \dut.generator$row );
        assert (`LEGAL_JOINED);
        assert (\dut.policy_scorer$valid == \dut.scan$valid && \dut.controller$listed == \dut.scan$valid );
        if (\dut.scan$valid ) begin
            assert ({\dut.policy_scorer$orientation , \dut.policy_scorer$x , \dut.policy_scorer$y } == scanned);
            assert ({\dut.controller$listed_orientation , \dut.controller$listed_x , \dut.controller$listed_y }
                == scanned);
        end
        assert ({\dut.policy_scorer$found , \dut.policy_scorer$best_orientation , \dut.policy_scorer$best_x , \dut.policy_scorer$best_y }
            == best);
        // A new search begins with nothing on its way to the scorer.
        if (\dut.policy_scorer$restart ) assert (scan_empty && scorer_empty);
        // The best placement stays from the end of a search to the beginning of the next job but writing.
        if (!past_searching && !past_asked) assert (best == past_best);
    end

`ifdef INVARIANT
    // What holds in every state that can be reached, so that one cycle proves the next.
    localparam IDLE = 0, READ = 1, CHECK = 2, THINK = 3, SEARCH = 4, FETCH = 5, STAMP = 6, WRITE = 7,
        SEND = 8;
    wire opponent_side = \dut.controller.opponent_side$q ;
    (* hierconn *) wire [48:0] \dut.policy_scorer.cells$q ;
    (* hierconn *) wire \dut.controller.clearing$q ;
    always @(*) begin
        assert (state <= SEND && job <= STREAM);
        if (!\dut.scan.busy$q )
            assert (scan_empty || \dut.scan.out_valid$q && {\dut.scan.pending$0$q , \dut.scan.pending$1$q ,
                \dut.scan.pending$2$q , \dut.scan.pending$3$q , \dut.scan.pending$4$q ,
                \dut.scan.pending$5$q , \dut.scan.pending$6$q } == 0);
        if (!dropped && (state == READ || state == CHECK)) assert (opponent_side);
        if (!dropped && (state == THINK || state == SEARCH)) assert (!opponent_side);
        if (given_up && !dropped) assert (state == IDLE || state == READ || state == THINK || state == SEND);
        if (!dropped && !given_up) begin
            assert (!\dut.controller.clearing$q );
            if (state != CHECK && state != SEARCH && state != WRITE) assert (chooser_idle && !searching_now);
            if (state == WRITE) assert (!searching_now);
            if (state == CHECK || state == SEARCH) assert (job != PLACE);
            if (state == WRITE) assert (job != STREAM && scan_empty && scorer_empty);
            if (state == CHECK || state == SEARCH) assert (searching || chooser_idle);
            if (state == STAMP) assert (\dut.policy_scorer.cells$q == rules_footprint);
        end
        if (!searching) assert (scan_empty && scorer_empty && job != STREAM);
    end
`endif
endmodule
