// From every state of its registers and memories the expander is at rest when no new job is asked for: a
// count of what is left goes down with every clock. One clock from any state is all that has to be looked
// at, so next states are read at the registers' inputs. What the maps hold takes any value.
module proof(input wire clock, input wire start_is_a, input wire start, input wire take,
    input wire stamp, input wire side, input wire [14:0] stamped, input wire [83:0] incoming,
    input wire score, input wire [15:0] value, input wire list);
    wire idle, done, entry;
    expander dut(.clock, .start_is_a, .start, .take, .stamp, .side, .stamped, .incoming,
        .incoming_used$0(21'd0), .incoming_used$1(21'd0), .score, .value, .list, .idle, .done, .entry);

    (* hierconn *) wire [1:0] \dut.work$d , \dut.work$q , \dut.priors.pass$d , \dut.priors.pass$q ;
    (* hierconn *) wire [4:0] \dut.step$d , \dut.step$q ;
    (* hierconn *) wire \dut.listed$d , \dut.listed$q , \dut.listing$d , \dut.listing$q ;
    (* hierconn *) wire \dut.all_tiles$d , \dut.all_tiles$q , \dut.turn , \dut.ranking$any , \dut.priors$start ;
    (* hierconn *) wire \dut.field.preparing$d , \dut.field.preparing$q ;
    (* hierconn *) wire \dut.field.running$d , \dut.field.running$q ;
    (* hierconn *) wire [3:0] \dut.field.step$d , \dut.field.step$q ;
    (* hierconn *) wire \dut.sweep.loaded$d , \dut.sweep.loaded$q , \dut.sweep.out_valid$d ;
    (* hierconn *) wire \dut.sweep.out_valid$q , \dut.sweep$load , \dut.sweep$idle ;
    (* hierconn *) wire [139:0] \dut.sweep.slide$1$d , \dut.sweep.slide$1$q ;
    (* hierconn *) wire [12:0] \dut.sweep.pending$0$d , \dut.sweep.pending$0$q ;
    (* hierconn *) wire [12:0] \dut.sweep.pending$1$d , \dut.sweep.pending$1$q ;
    (* hierconn *) wire [12:0] \dut.sweep.pending$2$d , \dut.sweep.pending$2$q ;
    (* hierconn *) wire [12:0] \dut.sweep.pending$3$d , \dut.sweep.pending$3$q ;
    (* hierconn *) wire [12:0] \dut.sweep.pending$4$d , \dut.sweep.pending$4$q ;
    (* hierconn *) wire [12:0] \dut.sweep.pending$5$d , \dut.sweep.pending$5$q ;
    (* hierconn *) wire [12:0] \dut.sweep.pending$6$d , \dut.sweep.pending$6$q ;
    (* hierconn *) wire [12:0] \dut.sweep.verdict$0$d , \dut.sweep.verdict$0$q ;
    (* hierconn *) wire [12:0] \dut.sweep.verdict$1$d , \dut.sweep.verdict$1$q ;
    (* hierconn *) wire [12:0] \dut.sweep.verdict$2$d , \dut.sweep.verdict$2$q ;
    (* hierconn *) wire [12:0] \dut.sweep.verdict$3$d , \dut.sweep.verdict$3$q ;
    (* hierconn *) wire [12:0] \dut.sweep.verdict$4$d , \dut.sweep.verdict$4$q ;
    (* hierconn *) wire [12:0] \dut.sweep.verdict$5$d , \dut.sweep.verdict$5$q ;
    (* hierconn *) wire [12:0] \dut.sweep.verdict$6$d , \dut.sweep.verdict$6$q ;
    (* hierconn *) wire \dut.scorer.alive$0$d , \dut.scorer.alive$0$q ;
    (* hierconn *) wire \dut.scorer.alive$1$d , \dut.scorer.alive$1$q ;
    (* hierconn *) wire \dut.scorer.alive$2$d , \dut.scorer.alive$2$q ;
    (* hierconn *) wire \dut.scorer.alive$3$d , \dut.scorer.alive$3$q ;
    (* hierconn *) wire \dut.scorer.alive$4$d , \dut.scorer.alive$4$q ;
    (* hierconn *) wire [5:0] \dut.priors.step$d , \dut.priors.step$q ;
    (* hierconn *) wire [5:0] \dut.priors.total$d , \dut.priors.total$q ;
    (* hierconn *) wire \dut.priors.taken$d , \dut.priors.taken$q , \dut.priors.added$d , \dut.priors.added$q ;
    (* hierconn *) wire \dut.priors.alive$0$d , \dut.priors.alive$0$q ;
    (* hierconn *) wire \dut.priors.alive$1$d , \dut.priors.alive$1$q ;
    (* hierconn *) wire \dut.priors.alive$2$d , \dut.priors.alive$2$q ;
    (* hierconn *) wire \dut.ranking.taken$0$d , \dut.ranking.taken$0$q ;

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
    // Rows that are left; a row past the last one goes on through 31 and zero.
    function automatic [5:0] rows(input [4:0] step);
        rows = step <= 21 ? 22 - step : 54 - step;
    endfunction
    function automatic [5:0] revolution(input preparing, input running, input [3:0] step);
        revolution = (preparing ? 17 : 0) + (!running ? 0 : step <= 13 ? 14 - step : 30 - step);
    endfunction
    // The second pass: 34 places of the ranking, two clocks for the division, then the entries.
    function automatic [11:0] emission(input [1:0] pass, input [5:0] step, input [5:0] total,
        input [1:0] coming, input a, input b, input c);
        reg [5:0] drain, divide, left;
        begin
            drain = 33 - step;
            divide = 1 - step;
            left = step < total ? total - step : 0;
            case (pass)
                0: emission = 0;
                1: emission = {2'd3, 4'd0, drain};
                2: emission = {2'd2, 4'd0, divide};
                3: emission = {2'd1, coming, left, a ? 2'd3 : b ? 2'd2 : c ? 2'd1 : 2'd0} ;
            endcase
        end
    endfunction
    // What is at work: rows, then the sweep's end, both with all tiles once more; then the entries.
    function automatic [2:0] phase(input [1:0] work, input all);
        phase = work == 1 ? (all ? 3 : 5) : work == 2 ? (all ? 2 : 4) : work == 3 ? 1 : 0;
    endfunction

    wire [90:0] pending_now = {\dut.sweep.pending$6$q , \dut.sweep.pending$5$q , \dut.sweep.pending$4$q ,
        \dut.sweep.pending$3$q , \dut.sweep.pending$2$q , \dut.sweep.pending$1$q , \dut.sweep.pending$0$q };
    wire [90:0] pending_next = {\dut.sweep.pending$6$d , \dut.sweep.pending$5$d , \dut.sweep.pending$4$d ,
        \dut.sweep.pending$3$d , \dut.sweep.pending$2$d , \dut.sweep.pending$1$d , \dut.sweep.pending$0$d };
    wire [90:0] verdict_now = {\dut.sweep.verdict$6$q , \dut.sweep.verdict$5$q , \dut.sweep.verdict$4$q ,
        \dut.sweep.verdict$3$q , \dut.sweep.verdict$2$q , \dut.sweep.verdict$1$q , \dut.sweep.verdict$0$q };
    wire [90:0] verdict_next = {\dut.sweep.verdict$6$d , \dut.sweep.verdict$5$d , \dut.sweep.verdict$4$d ,
        \dut.sweep.verdict$3$d , \dut.sweep.verdict$2$d , \dut.sweep.verdict$1$d , \dut.sweep.verdict$0$d };
    wire [90:0] all_but_the_first = pending_now & (pending_now - 91'd1);
    wire [3:0] columns_now = columns(\dut.sweep.loaded$q , \dut.sweep.slide$1$q );
    wire [3:0] columns_next = columns(\dut.sweep.loaded$d , \dut.sweep.slide$1$d );
    wire [2:0] stages_now = stages(\dut.sweep.out_valid$q , \dut.scorer.alive$0$q , \dut.scorer.alive$1$q ,
        \dut.scorer.alive$2$q , \dut.scorer.alive$3$q , \dut.scorer.alive$4$q );
    wire [2:0] stages_next = stages(\dut.sweep.out_valid$d , \dut.scorer.alive$0$d , \dut.scorer.alive$1$d ,
        \dut.scorer.alive$2$d , \dut.scorer.alive$3$d , \dut.scorer.alive$4$d );
    wire [5:0] rows_now = rows(\dut.step$q ), rows_next = rows(\dut.step$d );
    wire [5:0] field_now = revolution(\dut.field.preparing$q , \dut.field.running$q , \dut.field.step$q );
    wire [5:0] field_next = revolution(\dut.field.preparing$d , \dut.field.running$d , \dut.field.step$d );
    wire [11:0] emission_now = emission(\dut.priors.pass$q , \dut.priors.step$q , \dut.priors.total$q ,
        {\dut.priors.taken$q , \dut.priors.added$q }, \dut.priors.alive$0$q , \dut.priors.alive$1$q ,
        \dut.priors.alive$2$q );
    wire [11:0] emission_next = emission(\dut.priors.pass$d , \dut.priors.step$d , \dut.priors.total$d ,
        {\dut.priors.taken$d , \dut.priors.added$d }, \dut.priors.alive$0$d , \dut.priors.alive$1$d ,
        \dut.priors.alive$2$d );
    wire [1:0] work = \dut.work$q ;
    wire [2:0] phase_now = phase(work, \dut.all_tiles$q ), phase_next = phase(\dut.work$d , \dut.all_tiles$d );
    wire asked = idle && (score || list);
    wire sweep_rests = columns_now == 0 && verdict_now == 0 && pending_now == 0;
    // A placement was found, and is in the ranking or on its way to it.
    wire found_now = pending_now != 0 || verdict_now != 0 || stages_now != 0 || \dut.ranking.taken$0$q ;
    wire found_next = pending_next != 0 || verdict_next != 0 || stages_next != 0 || \dut.ranking.taken$0$d ;

    always @(*) begin
        // The sweep. With every clock a column is done, or one that waits comes to its turn, or the one
        // whose turn it is has one placement fewer, from 91 at most: 93 clocks a column at most.
        if (!\dut.sweep$load ) begin
            if (sweep_rests) assert (columns_next == 0 && verdict_next == 0 && pending_next == 0);
            else assert (columns_next < columns_now || columns_next == columns_now
                && ((verdict_now != 0 && verdict_next == 0) || verdict_next == verdict_now
                    && pending_now != 0 && pending_next == all_but_the_first));
        end else begin
            // A row comes when no column is left.
            assert (columns_now == 0 && columns_next <= 14 && work == 1);
        end
        // Then the pipeline empties.
        if (sweep_rests) assert (stages_now == 0 ? stages_next == 0 : stages_next < stages_now);
        assert (\dut.sweep$idle == (sweep_rests && !\dut.sweep.out_valid$q ));
        // The entries.
        if (!\dut.priors$start ) assert (emission_now == 0 ? emission_next == 0 : emission_next < emission_now);
        // The field, which is held up by rows only.
        if (!\dut.field.preparing$q && !\dut.field.running$q ) assert (field_next <= 17);
        else if (work == 0 || \dut.field.preparing$q || \dut.step$d != \dut.step$q ) assert (field_next <
            field_now);
        else assert (field_next == field_now || work == 1 && field_next < field_now);

        // The whole: with every clock a row is done, or the field gets ready for one, or the sweep goes on.
        case (work)
            0: if (!asked) begin
                assert (\dut.work$d == 0 && (!\dut.listed$d ));
                if (field_now == 0 && !\dut.listed$q ) assert (idle);
            end else assert (\dut.step$d == 0 && \dut.work$d == 1);
            1: begin
                assert (phase_next < phase_now || phase_next == phase_now && (rows_next < rows_now
                    || rows_next == rows_now && (\dut.field.preparing$q || columns_now != 0)
                        && !\dut.sweep$load ));
                assert (rows_now <= 32);
                if (\dut.step$q <= 21) assert (rows_now <= 22);
                // The first eight of 22 rows need no sweep.
                if (\dut.sweep$load ) assert (\dut.step$q >= 8);
            end
            2: assert (phase_next < phase_now || phase_next == phase_now && (!sweep_rests || stages_now != 0));
            3: assert (phase_next < phase_now || phase_next == phase_now && emission_now != 0);
        endcase
        // All tiles are looked at in the second pass only, and a first pass that found any has none.
        if (\dut.turn && work == 2) assert (\dut.all_tiles$d && !\dut.all_tiles$q && !found_now);
        if ((work == 1 || work == 2) && !\dut.listing$q && \dut.priors.pass$q == 0) begin
            if (found_now && \dut.work$d != 3) assert (found_next);
            if (\dut.work$d != 3) assert (\dut.priors.pass$d == 0);
        end
    end
endmodule
