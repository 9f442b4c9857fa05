// From every state that generator, scan and scorer can hold, and with any verdicts of the legality check, they
// come to rest when no new job is asked for: counts of what is left go down with every cycle. One
// cycle from any state is all that has to be checked, so next states are read at the registers'
// inputs.
//
// The three are joined as in the player. The judge's verdicts are left open, so that nothing depends
// on the board.
module proof(input wire clock, input wire stream, input wire place, input wire flush);
    wire load, ready, valid;
    wire generator_idle, scan_idle, scorer_idle;
    generator generator(.clock, .clear(1'b0), .place, .stream, .ready, .load, .idle(generator_idle));
    scan scan(.clock, .load, .flush, .ready, .valid, .idle(scan_idle));
    policy_scorer scorer(.clock, .restart(1'b0), .valid, .idle(scorer_idle));

    (* hierconn *) wire [1:0] \generator.job$d , \generator.job$q ;
    (* hierconn *) wire [4:0] \generator.step$d , \generator.step$q ;
    (* hierconn *) wire \scan.busy$d , \scan.busy$q ;
    (* hierconn *) wire [3:0] \scan.next_column$d , \scan.next_column$q ;
    (* hierconn *) wire [12:0] \scan.pending$0$d , \scan.pending$0$q ;
    (* hierconn *) wire [12:0] \scan.pending$1$d , \scan.pending$1$q ;
    (* hierconn *) wire [12:0] \scan.pending$2$d , \scan.pending$2$q ;
    (* hierconn *) wire [12:0] \scan.pending$3$d , \scan.pending$3$q ;
    (* hierconn *) wire [12:0] \scan.pending$4$d , \scan.pending$4$q ;
    (* hierconn *) wire [12:0] \scan.pending$5$d , \scan.pending$5$q ;
    (* hierconn *) wire [12:0] \scan.pending$6$d , \scan.pending$6$q ;
    (* hierconn *) wire \scan.out_valid$d , \scan.out_valid$q ;
    (* hierconn *) wire \scorer.stage_valid$0$d , \scorer.stage_valid$0$q ;
    (* hierconn *) wire \scorer.stage_valid$1$d , \scorer.stage_valid$1$q ;
    (* hierconn *) wire \scorer.stage_valid$2$d , \scorer.stage_valid$2$q ;
    (* hierconn *) wire \scorer.stage_valid$3$d , \scorer.stage_valid$3$q ;

    // Steps of the job that are left. A step past the last one continues through 31 and zero.
    function automatic [5:0] steps(input [1:0] job, input [4:0] step);
        reg [4:0] rest;
        begin
            rest = (job == 1 ? 5'd13 : 5'd20) - step;
            steps = job == 0 ? 0 : job == 3 ? 1 : rest + 1;
        end
    endfunction

    // Columns of the row that are left. One past the last continues through 15 and zero.
    function automatic [4:0] columns(input busy, input [3:0] next_column);
        reg [3:0] rest;
        begin
            rest = 4'd14 - next_column;
            columns = busy ? rest + 1 : 0;
        end
    endfunction

    // Stages that a placement on its way to the scorer's end has to pass.
    function automatic [2:0] stages(input out, input one, input two, input three, input four);
        stages = out ? 5 : one ? 4 : two ? 3 : three ? 2 : four;
    endfunction

    // Placements of this column that are left.
    wire [90:0] placements_now = {\scan.pending$6$q , \scan.pending$5$q , \scan.pending$4$q ,
        \scan.pending$3$q , \scan.pending$2$q , \scan.pending$1$q , \scan.pending$0$q };
    wire [90:0] placements_next = {\scan.pending$6$d , \scan.pending$5$d , \scan.pending$4$d ,
        \scan.pending$3$d , \scan.pending$2$d , \scan.pending$1$d , \scan.pending$0$d };
    wire [90:0] all_but_the_first = placements_now & (placements_now - 91'd1);
    wire [4:0] columns_now = columns(\scan.busy$q , \scan.next_column$q );
    wire [4:0] columns_next = columns(\scan.busy$d , \scan.next_column$d );
    wire [5:0] steps_now = steps(\generator.job$q , \generator.step$q );
    wire [5:0] steps_next = steps(\generator.job$d , \generator.step$d );
    wire [2:0] stages_now = stages(\scan.out_valid$q , \scorer.stage_valid$0$q , \scorer.stage_valid$1$q ,
        \scorer.stage_valid$2$q , \scorer.stage_valid$3$q );
    wire [2:0] stages_next = stages(\scan.out_valid$d , \scorer.stage_valid$0$d , \scorer.stage_valid$1$d ,
        \scorer.stage_valid$2$d , \scorer.stage_valid$3$d );

    always @(*) begin
        assume (!stream && !place);
        // With every cycle a step is done; or the generator waits and a column is done, from 16 at
        // most; or the column has one placement fewer, from 91 at most. So a row takes 91 + 16 * 92 =
        // 1563 cycles at most, and all steps with a row for each, after what is left of the row before,
        // take 32 * 1564 + 1563, or 21 * 1564 + 1563 from a step that exists.
        assert (steps_now <= 32 && columns_now <= 16);
        if (\generator.job$q == 2 && \generator.step$q <= 20) assert (steps_now <= 21);
        if (steps_now != 0 || columns_now != 0 || placements_now != 0)
            assert (steps_next < steps_now || steps_next == steps_now && (columns_next < columns_now
                || columns_next == columns_now && placements_now != 0
                && (placements_next == all_but_the_first || flush && placements_next == 0)));
        else begin
            assert (steps_next == 0 && columns_next == 0 && placements_next == 0);
            // Then the pipeline empties within five cycles.
            assert (stages_now == 0 ? stages_next == 0 : stages_next < stages_now);
        end
        // At rest is what the controller waits for.
        if (steps_now == 0 && columns_now == 0 && stages_now == 0)
            assert (generator_idle && scan_idle && scorer_idle);
        // Writing a tile does not wait for the scan.
        if (\generator.job$q == 1) assert (steps_next < steps_now);
        assert (generator_idle == (steps_now == 0));
    end
endmodule
