// Both players' cells and tiles, kept in turning rings and written as rows pass, against a board that
// is written at once. What is asked of the generator is free, within what it asks for itself: no job is
// asked for together with a clearing, and a clearing in the middle of a job lasts until its end; but for
// that, the side holds still while a job runs, and a tile's row while it is written (jobs). A tile lies on
// the board (answers, scorer_best, scan and move_generator: only legal placements are written).
//
// The board is one cell of it, whichever it is: what holds for each cell holds for all.
module proof(
    input wire clock,
    input wire clear,
    input wire side,
    input wire place,
    input wire [48:0] footprint,
    input wire [4:0] tile,
    input wire [3:0] x,
    input wire [3:0] y,
    input wire stream,
    input wire ready
);
    wire idle, passing;
    wire [13:0] own_row, opponent_row;
    generator dut(.clock, .clear, .side, .place, .footprint, .tile, .x, .y, .stream, .ready, .idle,
        .passing, .own_row, .opponent_row);

    (* hierconn *) wire [1:0] \dut.job$q ;
    (* hierconn *) wire [4:0] \dut.step$q ;
    (* hierconn *) wire [20:0] \dut.side_0_used$q , \dut.side_1_used$q ;
    wire placing = \dut.job$q == 1;
    wire [4:0] step = \dut.step$q ;

    // The tile's five by five box sits in the middle of its footprint.
    wire [24:0] box = {footprint[40:36], footprint[33:29], footprint[26:22], footprint[19:15],
        footprint[12:8]};
    wire [4:0] box_columns = box[4:0] | box[9:5] | box[14:10] | box[19:15] | box[24:20];
    wire [4:0] box_rows = {|box[24:20], |box[19:15], |box[14:10], |box[9:5], |box[4:0]};
    wire [19:0] over_right = {15'd0, box_columns} << x;
    wire [19:0] over_bottom = {15'd0, box_rows} << y;

    // The cell, and whether the tile that is asked for covers it.
    (* anyconst *) reg [3:0] row, column;
    wire [3:0] down = row - y, right = column - x;
    wire covered = row >= y && down < 5 && column >= x && right < 5 && box[5 * down + right];

    // The board.
    reg side_0 = 0, side_1 = 0;
    reg [20:0] side_0_used = 0, side_1_used = 0;
    reg past_clear = 0, past_side = 0;
    reg [3:0] past_y = 0;
    // What is being written, where, and what was there before.
    reg covers = 0, before_side_0 = 0, before_side_1 = 0;
    reg [3:0] written_y = 0;
    wire starts = idle && place;
    wire clearing = !idle && past_clear;

    always @(posedge clock) begin
        past_side <= side;
        past_clear <= clear;
        past_y <= y;
        if (starts) begin
            covers <= covered;
            written_y <= y;
            before_side_0 <= side_0;
            before_side_1 <= side_1;
            if (side) begin
                side_1 <= side_1 || covered;
                side_1_used <= side_1_used | (21'd1 << tile);
            end else begin
                side_0 <= side_0 || covered;
                side_0_used <= side_0_used | (21'd1 << tile);
            end
        end
        if (clear) begin
            side_0 <= 0;
            side_1 <= 0;
            side_0_used <= 0;
            side_1_used <= 0;
        end
    end

    always @(*) begin
        assume (row < 14 && column < 14);
        assume (over_right[19:14] == 0 && over_bottom[19:14] == 0);
        assume (tile < 21);
        assume (!(clear && idle && (place || stream)));
        if (clearing) assume (clear);
        if (!idle && !clearing) assume (side == past_side);
        if (placing && !clearing) assume (y == past_y);
    end

    always @(*) begin
        // What a job reads at the step of the row is the row, and both sides keep their tiles.
        if (\dut.job$q == 2 && passing && step == row) begin
            assert (own_row[column] == (side ? side_1 : side_0));
            assert (opponent_row[column] == (side ? side_0 : side_1));
        end
        assert (\dut.side_0_used$q == side_0_used && \dut.side_1_used$q == side_1_used);
    end

`ifdef INVARIANT
    // What holds in every state that can be reached, so that one cycle proves the next: the rings stand
    // at the row of the step, and at home from row 14 on; the rows that have not passed yet lack the tile.
    (* hierconn *) wire [195:0] \dut.store.side_0$q , \dut.store.side_1$q ;
    (* hierconn *) wire [69:0] \dut.store.stamp$q ;
    wire [3:0] turned = step > 13 || idle ? 0 : step;
    wire [3:0] ahead = row >= turned ? row - turned : row + 4'd14 - turned;
    wire in_side_0 = \dut.store.side_0$q [14 * ahead + column];
    wire in_side_1 = \dut.store.side_1$q [14 * ahead + column];
    wire [3:0] stamp_row = step > written_y ? step : written_y;
    wire [3:0] in_stamp = row - stamp_row;
    wire lacks = placing && !clearing && row >= step;
    always @(*) begin
        assert (in_side_0 == (lacks && !side ? before_side_0 : side_0));
        assert (in_side_1 == (lacks && side ? before_side_1 : side_1));
        assert (\dut.job$q != 3);
        if (placing) assert (step < 14);
        if (placing && !clearing) begin
            assert (past_y == written_y);
            assert (side ? side_1 == (before_side_1 || covers) : side_0 == (before_side_0 || covers));
            if (row < written_y || row - written_y > 4) assert (!covers);
            if (row >= stamp_row && in_stamp < 5)
                assert (\dut.store.stamp$q [14 * in_stamp + column] == covers);
        end
        if (\dut.job$q == 2) assert (step < 21);
        if (clearing) assert (!side_0 && !side_1);
    end
`endif
endmodule
