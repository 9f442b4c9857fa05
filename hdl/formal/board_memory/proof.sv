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
    wire [13:0] own_row, rival_row;
    generator dut(.clock, .clear, .side, .place, .footprint, .tile, .x, .y, .stream, .ready, .idle,
        .passing, .own_row, .rival_row);

    (* hierconn *) wire [1:0] \dut.job$q ;
    (* hierconn *) wire [4:0] \dut.step$q ;
    (* hierconn *) wire [20:0] \dut.mine_used$q , \dut.theirs_used$q ;
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
    reg mine = 0, theirs = 0;
    reg [20:0] mine_used = 0, theirs_used = 0;
    reg past_clear = 0, past_side = 0;
    reg [3:0] past_y = 0;
    // What is being written, where, and what was there before.
    reg covers = 0, before_mine = 0, before_theirs = 0;
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
            before_mine <= mine;
            before_theirs <= theirs;
            if (side) begin
                theirs <= theirs || covered;
                theirs_used <= theirs_used | (21'd1 << tile);
            end else begin
                mine <= mine || covered;
                mine_used <= mine_used | (21'd1 << tile);
            end
        end
        if (clear) begin
            mine <= 0;
            theirs <= 0;
            mine_used <= 0;
            theirs_used <= 0;
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
            assert (own_row[column] == (side ? theirs : mine));
            assert (rival_row[column] == (side ? mine : theirs));
        end
        assert (\dut.mine_used$q == mine_used && \dut.theirs_used$q == theirs_used);
    end

`ifdef INVARIANT
    // What holds in every state that can be reached, so that one clock proves the next: the rings stand
    // at the row of the step, and at home from row 14 on; the rows that have not passed yet lack the tile.
    (* hierconn *) wire [195:0] \dut.store.mine$q , \dut.store.theirs$q ;
    (* hierconn *) wire [69:0] \dut.store.stamp$q ;
    wire [3:0] turned = step > 13 || idle ? 0 : step;
    wire [3:0] ahead = row >= turned ? row - turned : row + 4'd14 - turned;
    wire in_mine = \dut.store.mine$q [14 * ahead + column];
    wire in_theirs = \dut.store.theirs$q [14 * ahead + column];
    wire [3:0] stamp_row = step > written_y ? step : written_y;
    wire [3:0] in_stamp = row - stamp_row;
    wire lacks = placing && !clearing && row >= step;
    always @(*) begin
        assert (in_mine == (lacks && !side ? before_mine : mine));
        assert (in_theirs == (lacks && side ? before_theirs : theirs));
        assert (\dut.job$q != 3);
        if (placing) assert (step < 14);
        if (placing && !clearing) begin
            assert (past_y == written_y);
            assert (side ? theirs == (before_theirs || covers) : mine == (before_mine || covers));
            if (row < written_y || row - written_y > 4) assert (!covers);
            if (row >= stamp_row && in_stamp < 5)
                assert (\dut.store.stamp$q [14 * in_stamp + column] == covers);
        end
        if (\dut.job$q == 2) assert (step < 21);
        if (clearing) assert (!mine && !theirs);
    end
`endif
endmodule
