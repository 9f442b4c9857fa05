// From every state of its registers and memories the expander is at rest when no new job is asked for: a
// count of what is left goes down with every cycle. A check of one cycle from any state is
// enough, so next states are read at the registers' inputs. What the maps hold takes any value, and whether there is a
// network is any.
module proof(input wire clock, input wire start_is_a, input wire start, input wire take,
    input wire stamp, input wire side, input wire [14:0] stamped, input wire [83:0] incoming,
    input wire score, input wire [15:0] value, input wire list);
    wire idle, done, entry;
    expander dut(.clock, .start_is_a, .start, .take, .stamp, .side, .stamped, .incoming,
        .incoming_used$0(21'd0), .incoming_used$1(21'd0), .score, .value, .list, .idle, .done, .entry);

    (* hierconn *) wire [2:0] \dut.state$d , \dut.state$q ;
    (* hierconn *) wire [1:0] \dut.priors.state$d , \dut.priors.state$q ;
    (* hierconn *) wire \dut.entries_start$d , \dut.entries_start$q ;
    (* hierconn *) wire \dut.network$exists , \dut.network$load , \dut.advance ;
    (* hierconn *) wire \dut.network.window.running$d , \dut.network.window.running$q ;
    (* hierconn *) wire \dut.network.window.second$d , \dut.network.window.second$q ;
    (* hierconn *) wire [3:0] \dut.network.window.x$d , \dut.network.window.x$q ;
    (* hierconn *) wire [4:0] \dut.step$d , \dut.step$q ;
    (* hierconn *) wire \dut.list_done$d , \dut.list_done$q , \dut.list_only$d , \dut.list_only$q ;
    (* hierconn *) wire \dut.all_tiles$d , \dut.all_tiles$q , \dut.scan_start , \dut.ranking$any , \dut.priors$start ;
    (* hierconn *) wire \dut.position_ring.preparing$d , \dut.position_ring.preparing$q ;
    (* hierconn *) wire \dut.position_ring.running$d , \dut.position_ring.running$q ;
    (* hierconn *) wire [3:0] \dut.position_ring.step$d , \dut.position_ring.step$q ;
    (* hierconn *) wire \dut.placement_scan.loaded$d , \dut.placement_scan.loaded$q , \dut.placement_scan.out_valid$d ;
    (* hierconn *) wire \dut.placement_scan.out_valid$q , \dut.placement_scan$load , \dut.placement_scan$idle ;
    (* hierconn *) wire [139:0] \dut.placement_scan.sliding$1$d , \dut.placement_scan.sliding$1$q ;
    (* hierconn *) wire [12:0] \dut.placement_scan.pending$0$d , \dut.placement_scan.pending$0$q ;
    (* hierconn *) wire [12:0] \dut.placement_scan.pending$1$d , \dut.placement_scan.pending$1$q ;
    (* hierconn *) wire [12:0] \dut.placement_scan.pending$2$d , \dut.placement_scan.pending$2$q ;
    (* hierconn *) wire [12:0] \dut.placement_scan.pending$3$d , \dut.placement_scan.pending$3$q ;
    (* hierconn *) wire [12:0] \dut.placement_scan.pending$4$d , \dut.placement_scan.pending$4$q ;
    (* hierconn *) wire [12:0] \dut.placement_scan.pending$5$d , \dut.placement_scan.pending$5$q ;
    (* hierconn *) wire [12:0] \dut.placement_scan.pending$6$d , \dut.placement_scan.pending$6$q ;
    (* hierconn *) wire [12:0] \dut.placement_scan.verdict$0$d , \dut.placement_scan.verdict$0$q ;
    (* hierconn *) wire [12:0] \dut.placement_scan.verdict$1$d , \dut.placement_scan.verdict$1$q ;
    (* hierconn *) wire [12:0] \dut.placement_scan.verdict$2$d , \dut.placement_scan.verdict$2$q ;
    (* hierconn *) wire [12:0] \dut.placement_scan.verdict$3$d , \dut.placement_scan.verdict$3$q ;
    (* hierconn *) wire [12:0] \dut.placement_scan.verdict$4$d , \dut.placement_scan.verdict$4$q ;
    (* hierconn *) wire [12:0] \dut.placement_scan.verdict$5$d , \dut.placement_scan.verdict$5$q ;
    (* hierconn *) wire [12:0] \dut.placement_scan.verdict$6$d , \dut.placement_scan.verdict$6$q ;
    (* hierconn *) wire \dut.prior_scorer.stage_valid$0$d , \dut.prior_scorer.stage_valid$0$q ;
    (* hierconn *) wire \dut.prior_scorer.stage_valid$1$d , \dut.prior_scorer.stage_valid$1$q ;
    (* hierconn *) wire \dut.prior_scorer.stage_valid$2$d , \dut.prior_scorer.stage_valid$2$q ;
    (* hierconn *) wire \dut.prior_scorer.stage_valid$3$d , \dut.prior_scorer.stage_valid$3$q ;
    (* hierconn *) wire \dut.prior_scorer.stage_valid$4$d , \dut.prior_scorer.stage_valid$4$q ;
    (* hierconn *) wire \dut.network_scorer.stage_valid$0$d , \dut.network_scorer.stage_valid$0$q ;
    (* hierconn *) wire \dut.network_scorer.stage_valid$1$d , \dut.network_scorer.stage_valid$1$q ;
    (* hierconn *) wire \dut.network_scorer.stage_valid$2$d , \dut.network_scorer.stage_valid$2$q ;
    (* hierconn *) wire \dut.network_scorer.stage_valid$3$d , \dut.network_scorer.stage_valid$3$q ;
    (* hierconn *) wire \dut.network_scorer.stage_valid$4$d , \dut.network_scorer.stage_valid$4$q ;
    (* hierconn *) wire [5:0] \dut.priors.step$d , \dut.priors.step$q ;
    (* hierconn *) wire [5:0] \dut.priors.kept_count$d , \dut.priors.kept_count$q ;
    (* hierconn *) wire \dut.priors.taken$d , \dut.priors.taken$q , \dut.priors.added$d , \dut.priors.added$q ;
    (* hierconn *) wire \dut.priors.stage_valid$0$d , \dut.priors.stage_valid$0$q ;
    (* hierconn *) wire \dut.priors.stage_valid$1$d , \dut.priors.stage_valid$1$q ;
    (* hierconn *) wire \dut.priors.stage_valid$2$d , \dut.priors.stage_valid$2$q ;
    (* hierconn *) wire \dut.ranking.occupied$0$d , \dut.ranking.occupied$0$q ;

    // Columns of a row that are left, up to its last corner point that a tile can cover. Behind the 14 that
    // a row comes with one more may hold anything at first.
    function automatic [3:0] columns(input loaded, input [139:0] corners);
        reg [19:0] any;
        integer i;
        begin
            any = corners[39:20] | corners[59:40] | corners[79:60] | corners[99:80] | corners[119:100];
            columns = 0;
            for (i = 1; i < 15; i = i + 1) if (loaded && any[i]) columns = i;
            if (columns != 0 && any[15]) columns = 15;
        end
    endfunction
    // Stages that a placement has to pass.
    function automatic [2:0] stages(input out, input a, input b, input c, input d, input e);
        stages = out ? 6 : a ? 5 : b ? 4 : c ? 3 : d ? 2 : e;
    endfunction
    // Rows that are left; a row past the last one continues through 31 and zero.
    function automatic [5:0] rows(input [4:0] step);
        rows = step <= 21 ? 22 - step : 54 - step;
    endfunction
    // Rows of the planes that are left, and cycles of the network's window that are left of one: two for each of 16
    // cells.
    function automatic [4:0] planes(input [4:0] step);
        planes = step <= 18 ? 18 - step : 0;
    endfunction
    function automatic [5:0] cells(input running, input second, input [3:0] x);
        cells = running ? 6'd2 * (6'd16 - x) - second : second;
    endfunction
    function automatic [5:0] revolution(input preparing, input running, input [3:0] step);
        revolution = (preparing ? 17 : 0) + (!running ? 0 : step <= 13 ? 14 - step : 30 - step);
    endfunction
    // The second pass: 34 places of the ranking, two cycles for the division, then the entries.
    function automatic [11:0] emission(input [1:0] priors, input [5:0] step, input [5:0] total,
        input [1:0] coming, input a, input b, input c);
        reg [5:0] drain, divide, left;
        begin
            drain = 33 - step;
            divide = 1 - step;
            left = step < total ? total - step : 0;
            case (priors)
                0: emission = 0;
                1: emission = {2'd3, 4'd0, drain};
                2: emission = {2'd2, 4'd0, divide};
                3: emission = {2'd1, coming, left, a ? 2'd3 : b ? 2'd2 : c ? 2'd1 : 2'd0} ;
            endcase
        end
    endfunction
    // What is at work: the network, rows, then the placement scan's end, both with all tiles once more; then the
    // entries. A state that does not exist comes before all of them.
    function automatic [2:0] phase(input [2:0] request_state, input all);
        case (request_state)
            0: phase = 0;
            1: phase = all ? 3 : 5;
            2: phase = all ? 2 : 4;
            3: phase = 1;
            4: phase = 6;
            default: phase = 7;
        endcase
    endfunction

    wire [90:0] pending_now = {\dut.placement_scan.pending$6$q , \dut.placement_scan.pending$5$q , \dut.placement_scan.pending$4$q ,
        \dut.placement_scan.pending$3$q , \dut.placement_scan.pending$2$q , \dut.placement_scan.pending$1$q , \dut.placement_scan.pending$0$q };
    wire [90:0] pending_next = {\dut.placement_scan.pending$6$d , \dut.placement_scan.pending$5$d , \dut.placement_scan.pending$4$d ,
        \dut.placement_scan.pending$3$d , \dut.placement_scan.pending$2$d , \dut.placement_scan.pending$1$d , \dut.placement_scan.pending$0$d };
    wire [90:0] verdict_now = {\dut.placement_scan.verdict$6$q , \dut.placement_scan.verdict$5$q , \dut.placement_scan.verdict$4$q ,
        \dut.placement_scan.verdict$3$q , \dut.placement_scan.verdict$2$q , \dut.placement_scan.verdict$1$q , \dut.placement_scan.verdict$0$q };
    wire [90:0] verdict_next = {\dut.placement_scan.verdict$6$d , \dut.placement_scan.verdict$5$d , \dut.placement_scan.verdict$4$d ,
        \dut.placement_scan.verdict$3$d , \dut.placement_scan.verdict$2$d , \dut.placement_scan.verdict$1$d , \dut.placement_scan.verdict$0$d };
    wire [90:0] all_but_the_first = pending_now & (pending_now - 91'd1);
    wire [3:0] columns_now = columns(\dut.placement_scan.loaded$q , \dut.placement_scan.sliding$1$q );
    wire [3:0] columns_next = columns(\dut.placement_scan.loaded$d , \dut.placement_scan.sliding$1$d );
    // Of the two scorers, each taken for itself, and the one whose scores are ranked.
    wire [2:0] prior_now = stages(\dut.placement_scan.out_valid$q , \dut.prior_scorer.stage_valid$0$q ,
        \dut.prior_scorer.stage_valid$1$q , \dut.prior_scorer.stage_valid$2$q , \dut.prior_scorer.stage_valid$3$q ,
        \dut.prior_scorer.stage_valid$4$q );
    wire [2:0] prior_next = stages(\dut.placement_scan.out_valid$d , \dut.prior_scorer.stage_valid$0$d ,
        \dut.prior_scorer.stage_valid$1$d , \dut.prior_scorer.stage_valid$2$d , \dut.prior_scorer.stage_valid$3$d ,
        \dut.prior_scorer.stage_valid$4$d );
    wire [2:0] network_now = stages(\dut.placement_scan.out_valid$q , \dut.network_scorer.stage_valid$0$q ,
        \dut.network_scorer.stage_valid$1$q , \dut.network_scorer.stage_valid$2$q ,
        \dut.network_scorer.stage_valid$3$q , \dut.network_scorer.stage_valid$4$q );
    wire [2:0] network_next = stages(\dut.placement_scan.out_valid$d , \dut.network_scorer.stage_valid$0$d ,
        \dut.network_scorer.stage_valid$1$d , \dut.network_scorer.stage_valid$2$d ,
        \dut.network_scorer.stage_valid$3$d , \dut.network_scorer.stage_valid$4$d );
    wire [2:0] stages_now = prior_now > network_now ? prior_now : network_now;
    wire [2:0] stages_next = prior_next > network_next ? prior_next : network_next;
    wire [2:0] ranked_now = \dut.network$exists ? network_now : prior_now;
    wire [2:0] ranked_next = \dut.network$exists ? network_next : prior_next;
    wire [5:0] rows_now = rows(\dut.step$q ), rows_next = rows(\dut.step$d );
    wire [4:0] planes_now = planes(\dut.step$q ), planes_next = planes(\dut.step$d );
    wire [5:0] cells_now = cells(\dut.network.window.running$q , \dut.network.window.second$q ,
        \dut.network.window.x$q );
    wire [5:0] cells_next = cells(\dut.network.window.running$d , \dut.network.window.second$d ,
        \dut.network.window.x$d );
    wire [5:0] ring_now = revolution(\dut.position_ring.preparing$q , \dut.position_ring.running$q , \dut.position_ring.step$q );
    wire [5:0] ring_next = revolution(\dut.position_ring.preparing$d , \dut.position_ring.running$d , \dut.position_ring.step$d );
    wire [11:0] emission_now = emission(\dut.priors.state$q , \dut.priors.step$q , \dut.priors.kept_count$q ,
        {\dut.priors.taken$q , \dut.priors.added$q }, \dut.priors.stage_valid$0$q , \dut.priors.stage_valid$1$q ,
        \dut.priors.stage_valid$2$q );
    wire [11:0] emission_next = emission(\dut.priors.state$d , \dut.priors.step$d , \dut.priors.kept_count$d ,
        {\dut.priors.taken$d , \dut.priors.added$d }, \dut.priors.stage_valid$0$d , \dut.priors.stage_valid$1$d ,
        \dut.priors.stage_valid$2$d );
    wire [2:0] request_state = \dut.state$q ;
    wire [2:0] phase_now = phase(request_state, \dut.all_tiles$q ), phase_next = phase(\dut.state$d , \dut.all_tiles$d );
    wire asked = idle && (score || list);
    wire scan_rests = columns_now == 0 && verdict_now == 0 && pending_now == 0;
    // A placement was found, and is in the ranking or on its way to it.
    wire found_now = pending_now != 0 || verdict_now != 0 || ranked_now != 0 || \dut.ranking.occupied$0$q ;
    wire found_next = pending_next != 0 || verdict_next != 0 || ranked_next != 0 || \dut.ranking.occupied$0$d ;

    always @(*) begin
        // The placement scan. With every cycle a column is done, or one that waits comes to its turn, or the one
        // whose turn it is has one placement fewer, from 91 at most: 93 cycles a column at most.
        if (!\dut.placement_scan$load ) begin
            if (scan_rests) assert (columns_next == 0 && verdict_next == 0 && pending_next == 0);
            else assert (columns_next < columns_now || columns_next == columns_now
                && ((verdict_now != 0 && verdict_next == 0) || verdict_next == verdict_now
                    && pending_now != 0 && pending_next == all_but_the_first));
        end else begin
            // A row comes when no column is left.
            assert (columns_now == 0 && columns_next <= 14 && request_state == 1);
        end
        // Then the pipeline empties.
        if (scan_rests) assert (stages_now == 0 ? stages_next == 0 : stages_next < stages_now);
        assert (\dut.placement_scan$idle == (scan_rests && !\dut.placement_scan.out_valid$q ));
        // The entries.
        if (!\dut.priors$start ) assert (emission_now == 0 ? emission_next == 0 : emission_next < emission_now);
        // The network's window. With every cycle half of a cell is done, and a row comes when no cell is left.
        if (!\dut.network$load ) assert (cells_now == 0 ? cells_next == 0 : cells_next < cells_now);
        else assert (cells_now <= 1 && cells_next == 32 && request_state == 4 && planes_next < planes_now);
        // The position ring, which is held up by rows only.
        if (!\dut.position_ring.preparing$q && !\dut.position_ring.running$q ) assert (ring_next <= 17);
        else if (request_state == 0 || \dut.position_ring.preparing$q || \dut.advance ) assert (ring_next < ring_now);
        else assert (ring_next == ring_now);

        // The whole: with every cycle a row is done, or the position ring gets ready for one, or the
        // placement scan or the network's window continues.
        case (request_state)
            0: if (!asked) begin
                assert (\dut.state$d == 0 && (!\dut.list_done$d ));
                if (ring_now == 0 && !\dut.list_done$q ) assert (idle);
            end else assert (\dut.step$d == 0 && \dut.state$d == (\dut.network$exists && score ? 4 : 1));
            1: begin
                assert (phase_next < phase_now || phase_next == phase_now && (rows_next < rows_now
                    || rows_next == rows_now && (\dut.position_ring.preparing$q || columns_now != 0)
                        && !\dut.placement_scan$load ));
                assert (rows_now <= 32);
                if (\dut.step$q <= 21) assert (rows_now <= 22);
                // The first eight of 22 rows need no placement scan.
                if (\dut.placement_scan$load ) assert (\dut.step$q >= 8);
            end
            2: assert (phase_next < phase_now || phase_next == phase_now && (!scan_rests || stages_now != 0));
            // The second pass starts one cycle later.
            3: assert (phase_next < phase_now || phase_next == phase_now
                && (emission_now != 0 || \dut.entries_start$q ));
            4: begin
                assert (phase_next < phase_now || phase_next == phase_now && (planes_next < planes_now
                    || planes_next == planes_now && (\dut.position_ring.preparing$q || cells_now != 0)));
                if (\dut.state$d != 4) assert (\dut.state$d == 1 && \dut.step$d == 0 && \dut.scan_start );
                // Two of the 18 rows go to the maps only.
                if (\dut.network$load ) assert (\dut.step$q >= 2 && \dut.step$q < 18);
            end
            default: assert (\dut.state$d == 0 && !\dut.scan_start );
        endcase
        if (request_state != 2) assert (!\dut.entries_start$d );
        // All tiles are tried in the second pass only, and a first pass that found any has none.
        if (\dut.scan_start && request_state == 2) assert (\dut.all_tiles$d && !\dut.all_tiles$q && !found_now);
        if ((request_state == 1 || request_state == 2) && !\dut.list_only$q && \dut.priors.state$q == 0
            && !\dut.priors$start ) begin
            if (found_now && \dut.state$d != 3) assert (found_next);
            if (\dut.state$d != 3) assert (\dut.priors.state$d == 0);
        end
    end
endmodule
