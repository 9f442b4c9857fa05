// The board behaves like two sets of cells, however its rows turn.
module proof(
    input clock,
    input clear,
    input start_is_a,
    input side,
    input place,
    input [24:0] shape,
    input [4:0] tile,
    input [3:0] x,
    input [3:0] y,
    input stream,
    input ready
);
    // A shape is any set of cells in a box of five by five, in which the generator takes it with a
    // border of one.
    wire [48:0] footprint;
    genvar dx, dy;
    generate
        for (dy = 0; dy < 7; dy = dy + 1)
            for (dx = 0; dx < 7; dx = dx + 1) begin : box
                if (dx > 0 && dx < 6 && dy > 0 && dy < 6)
                    assign footprint[7 * dy + dx] = shape[5 * (dy - 1) + dx - 1];
                else
                    assign footprint[7 * dy + dx] = 0;
            end
    endgenerate

    wire idle, passing, load;
    wire [13:0] own_row, opponent_row;
    wire [3:0] row;
    wire [1273:0] legal;
    wire [699:0] window;
    generator_packed dut(.clock(clock), .clear(clear), .start_is_a(start_is_a), .side(side),
        .place(place), .footprint(footprint), .tile(tile), .x(x), .y(y), .stream(stream),
        .ready(ready), .idle(idle), .passing(passing), .own_row(own_row), .opponent_row(opponent_row),
        .load(load), .row(row), .legal(legal), .window(window));

    (* hierconn *) wire [1:0] \dut.block.job$q ;
    (* hierconn *) wire [4:0] \dut.block.step$q ;
    (* hierconn *) wire [20:0] \dut.block.side_0_used$q ;
    (* hierconn *) wire [20:0] \dut.block.side_1_used$q ;
    (* hierconn *) wire [195:0] \dut.block.store.side_0$q ;
    (* hierconn *) wire [195:0] \dut.block.store.side_1$q ;
    (* hierconn *) wire [69:0] \dut.block.store.stamp$q ;
    wire [1:0] job = \dut.block.job$q ;
    wire [4:0] step = \dut.block.step$q ;
    wire [195:0] side_0 = \dut.block.store.side_0$q ;
    wire [195:0] side_1 = \dut.block.store.side_1$q ;
    localparam IDLE = 0, PLACE = 1, STREAM = 2;

    // Any cell of the board: what is shown for it holds for all of them.
    (* anyconst *) reg [3:0] cell_x, cell_y;
    always @* assume (cell_x < 14 && cell_y < 14);

    // The shape at its place covers the cell, and lies on the board.
    wire [4:0] in_x = cell_x - x, in_y = cell_y - y;
    wire [4:0] in_box = 5 * in_y[2:0] + in_x[2:0];
    wire covers = in_x < 5 && in_y < 5 && shape[in_box];
    wire [24:0] off_board;
    generate
        for (dy = 0; dy < 5; dy = dy + 1)
            for (dx = 0; dx < 5; dx = dx + 1) begin : reach
                assign off_board[5 * dy + dx] = shape[5 * dy + dx] && (x + dx > 13 || y + dy > 13);
            end
    endgenerate

    // Whether the cell is one of either side's, and the tiles, as they should be; and the cell as it
    // was before the job.
    reg model_side_0, model_side_1, before_side_0, before_side_1;
    reg [20:0] model_side_0_used, model_side_1_used;
    reg asked_side = 0;
    reg [3:0] asked_y = 0;
    reg first = 1, past_clear = 0;
    wire clearing = !idle && past_clear;
    always @(posedge clock) begin
        first <= 0;
        past_clear <= clear;
        if (idle) begin
            asked_side <= side;
            asked_y <= y;
            before_side_0 <= model_side_0;
            before_side_1 <= model_side_1;
            if (place && side) begin
                model_side_1 <= model_side_1 || covers;
                model_side_1_used <= model_side_1_used | 1 << tile;
            end
            if (place && !side) begin
                model_side_0 <= model_side_0 || covers;
                model_side_0_used <= model_side_0_used | 1 << tile;
            end
        end
        if (clear) begin
            model_side_0 <= 0;
            model_side_1 <= 0;
            before_side_0 <= 0;
            before_side_1 <= 0;
            model_side_0_used <= 0;
            model_side_1_used <= 0;
        end
    end
    wire [7:0] home = 14 * cell_y + cell_x;
    always @* begin
        // Any board to begin with.
        if (first) begin
            assume (model_side_0 == side_0[home] && model_side_1 == side_1[home]);
            assume (model_side_0_used == \dut.block.side_0_used$q );
            assume (model_side_1_used == \dut.block.side_1_used$q );
        end
        // A placement is on the board (answers, scorer_best, scan and move_generator: only legal ones are
        // written). No job is asked for together with a clearing, and one that meets a job lasts until its
        // end; but for that, what is asked keeps still until it is done (jobs).
        if (idle && place) assume (off_board == 0);
        assume (!(clear && idle && (place || stream)));
        if (clearing) assume (clear);
        if (!idle && !clearing) assume (side == asked_side && y == asked_y);
    end

    // Rows that have passed since the job began.
    reg [3:0] rows_passed = 0;
    always @(posedge clock) rows_passed <= idle ? 0 : rows_passed + passing;

    // The claims.
    wire own_before = asked_side ? before_side_1 : before_side_0;
    wire opponent_before = asked_side ? before_side_0 : before_side_1;
    always @* begin
        if (idle) assert (side_0[home] == model_side_0 && side_1[home] == model_side_1);
        assert (model_side_0_used == \dut.block.side_0_used$q );
        assert (model_side_1_used == \dut.block.side_1_used$q );
        if (passing) assert (rows_passed < 14);
        if (passing && rows_passed == cell_y)
            assert (own_row[cell_x] == own_before && opponent_row[cell_x] == opponent_before);
    end

`ifdef INVARIANTS
    // What keeps them: where the cell is while a job runs, and what the stamp still writes into it.
    wire has_passed = cell_y < rows_passed;
    wire [4:0] row_now = cell_y - rows_passed + (has_passed ? 14 : 0);
    wire [7:0] now = 14 * row_now[3:0] + cell_x;
    wire [4:0] stamp_row = cell_y - (step > asked_y ? step : asked_y);
    wire [6:0] in_stamp = 14 * stamp_row[2:0] + cell_x;
    wire to_write = stamp_row < 5 && \dut.block.store.stamp$q [in_stamp];
    wire own_model = asked_side ? model_side_1 : model_side_0;
    always @* begin
        assert (job <= STREAM);
        if (job == IDLE) assert (!first || rows_passed == 0);
        if (job == PLACE) begin
            assert (step < 14 && rows_passed == step);
            assert (side_0[now] == (has_passed ? model_side_0 : before_side_0));
            assert (side_1[now] == (has_passed ? model_side_1 : before_side_1));
            if (!has_passed && !clearing) assert (own_model == (own_before || to_write));
            if (asked_side) assert (model_side_0 == before_side_0);
            else assert (model_side_1 == before_side_1);
        end
        if (job == STREAM) begin
            assert (step < 21 && rows_passed == (step < 14 ? step : 14));
            assert (side_0[now] == model_side_0 && side_1[now] == model_side_1);
            assert (model_side_0 == before_side_0 && model_side_1 == before_side_1);
        end
        if (clearing) assert (!model_side_0 && !model_side_1 && !before_side_0 && !before_side_1);
        if (first) assert (job == IDLE && !past_clear);
    end
`endif
endmodule
