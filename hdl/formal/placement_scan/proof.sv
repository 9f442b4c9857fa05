// The placement scan outputs the legal placements of the rows that it takes, and nothing else.
module proof(
    input clock,
    input load,
    input [3:0] row,
    input [839:0] window,
    input [20:0] tiles
);
    wire ready, idle, valid;
    wire [6:0] orientation;
    wire [3:0] x, y;
    placement_scan_packed dut(.clock(clock), .load(load), .row(row), .window(window), .tiles(tiles),
        .ready(ready), .idle(idle), .valid(valid), .orientation(orientation), .x(x), .y(y));

    // Any placement: what is shown for it holds for all of them.
    (* anyconst *) reg [6:0] some_orientation;
    (* anyconst *) reg [3:0] some_x, some_y;
    always @* assume (some_orientation < 91 && some_x < 14 && some_y < 14);
    wire seen = valid && orientation == some_orientation && x == some_x && y == some_y;

    // Allowed cells and corner points of the row that was taken last and of the four below it: one
    // column on the left, the board's 14, and five on the right that are not examined.
    reg [3:0] last_row = 0;
    reg [69:0] allowed = 0, corner = 0;
    wire [69:0] allowed_now, corner_now;
    genvar i;
    generate
        for (i = 0; i < 5; i = i + 1) begin : tile_row
            assign allowed_now[14 * i +: 14] = window[20 * i + 21 +: 14];
            assign corner_now[14 * i +: 14] = window[140 + 20 * i + 21 +: 14];
        end
    endgenerate
    wire [1273:0] legal;
    placements placements(.allowed(allowed), .corner(corner), .tiles(tiles), .legal(legal));
    wire verdict = legal[14 * some_orientation + some_x];

    // The environment. [expander_rows: a row is loaded only when the placement scan is ready]
    always @* assume (!load || ready);
    // [expander_rows: rows are numbered 0 to 13, and go up until the placement scan has been idle]
    always @* if (load) assume (row < 14 && (idle || row > last_row));
    // [expander_rows: the tiles hold still from a load until the placement scan is idle]
    reg [20:0] last_tiles = 0;
    reg at_work = 0;
    always @* if (at_work) assume (tiles == last_tiles);

    // The placement is legal and still to come. `before` is the last one that was output since the
    // scan was idle.
    reg taken = 0, still_due = 0, any_before = 0;
    wire due = taken && last_row == some_y ? verdict : still_due;
    reg [14:0] before = 0;
    // Nothing was loaded since the placement scan was idle.
    reg rests = 1;
    always @(posedge clock) begin
        last_tiles <= tiles;
        at_work <= load || !idle;
        rests <= idle && !load;
        if (load) begin
            last_row <= row;
            allowed <= allowed_now;
            corner <= corner_now;
        end
        taken <= load;
        still_due <= due && !seen;
        any_before <= !idle && (valid || any_before);
        if (valid) before <= {y, x, orientation};
    end

    // The claims.
    always @* begin
        if (seen) assert (due);
        if (idle) assert (!due);
        if (valid) assert (orientation < 91 && x < 14 && y < 14);
        if (valid && any_before) assert ({y, x, orientation} > before);
        if (rests) assert (idle && !valid);
    end

    (* hierconn *) wire \dut.block.loaded$q ;
    (* hierconn *) wire [3:0] \dut.block.sliding_row$q , \dut.block.sliding_column$q ,
        \dut.block.verdict_row$q , \dut.block.verdict_column$q ,
        \dut.block.pending_row$q , \dut.block.pending_column$q ;
    (* hierconn *) wire [139:0] \dut.block.sliding$0$q , \dut.block.sliding$1$q ;
    (* hierconn *) wire [12:0] \dut.block.verdict$0$q , \dut.block.verdict$1$q ,
        \dut.block.verdict$2$q , \dut.block.verdict$3$q , \dut.block.verdict$4$q ,
        \dut.block.verdict$5$q , \dut.block.verdict$6$q ;
    (* hierconn *) wire [12:0] \dut.block.pending$0$q , \dut.block.pending$1$q ,
        \dut.block.pending$2$q , \dut.block.pending$3$q , \dut.block.pending$4$q ,
        \dut.block.pending$5$q , \dut.block.pending$6$q ;
    wire [139:0] slide_allowed = \dut.block.sliding$0$q , slide_corner = \dut.block.sliding$1$q ;
    wire [3:0] column = \dut.block.sliding_column$q ;
    wire [90:0] judged = {\dut.block.verdict$6$q , \dut.block.verdict$5$q , \dut.block.verdict$4$q ,
        \dut.block.verdict$3$q , \dut.block.verdict$2$q , \dut.block.verdict$1$q ,
        \dut.block.verdict$0$q };
    wire [90:0] pending = {\dut.block.pending$6$q , \dut.block.pending$5$q , \dut.block.pending$4$q ,
        \dut.block.pending$3$q , \dut.block.pending$2$q , \dut.block.pending$1$q ,
        \dut.block.pending$0$q };
    wire [7:0] slide_key = {\dut.block.sliding_row$q , column};
    wire [7:0] judged_key = {\dut.block.verdict_row$q , \dut.block.verdict_column$q };
    wire [7:0] pending_key = {\dut.block.pending_row$q , \dut.block.pending_column$q };

    // The claim about the end: with every cycle without a load a column is done with, or the column that
    // waits is output, or the one that is output has a placement fewer; then the last one is out.
    reg was_at_work = 0;
    reg [3:0] last_column = 0;
    reg [90:0] last_judged = 0, last_pending = 0;
    always @(posedge clock) begin
        was_at_work <= !idle && !load;
        last_column <= column;
        last_judged <= judged;
        last_pending <= pending;
    end
    wire fewer = (pending & ~last_pending) == 0 && pending != last_pending;
    always @* begin
        if (was_at_work)
            assert (column == last_column + 1
                || column == last_column && (last_judged != 0 && judged == 0
                    || judged == last_judged && fewer || idle));
        assert (column <= 14);
        if (column == 14) assert (ready);
    end

`ifdef INVARIANTS
    // What keeps them. The windows have slid to the column.
    wire [4:0] slid_right;
    generate
        for (i = 0; i < 5; i = i + 1) begin : slid
            wire [13:0] allowed_left = allowed[14 * i +: 14] >> column;
            wire [13:0] corner_left = corner[14 * i +: 14] >> column;
            assign slid_right[i] = slide_allowed[20 * i + 21 +: 14] == allowed_left
                && slide_corner[20 * i + 21 +: 14] == corner_left
                && slide_allowed[20 * i + 35 +: 5] == 0 && slide_corner[20 * i + 35 +: 5] == 0;
        end
    endgenerate
    // Where the placement can be, in one place at most: in a column to come, in the one that waits, in
    // the one that is output, on the outputs.
    wire some_there = \dut.block.loaded$q && \dut.block.sliding_row$q == some_y && column <= some_x
        && verdict;
    wire some_judged = judged[some_orientation] && judged_key == {some_y, some_x};
    wire some_pending = pending[some_orientation] && pending_key == {some_y, some_x};
    wire [90:0] up_to_this = ~({91{1'b1}} << orientation << 1);
    always @* begin
        assert (&slid_right);
        assert (\dut.block.sliding_row$q == last_row && last_row < 14);
        if (!\dut.block.loaded$q ) assert (ready && judged == 0);
        if (!ready) assert (due == (some_there || some_judged || some_pending || seen));
        else assert (due == (some_judged || some_pending || seen));
        // In order: each place holds what comes after that of the next place.
        if (judged != 0) assert (judged_key < slide_key && judged_key[3:0] < 14 && judged_key[7:4] < 14);
        if (pending != 0) assert (pending_key < slide_key && pending_key[3:0] < 14 && pending_key[7:4] < 14);
        if (valid) assert ({y, x} < slide_key);
        if (judged != 0 && pending != 0) assert (pending_key < judged_key);
        if (valid && judged != 0) assert ({y, x} < judged_key);
        if (valid && pending != 0) begin
            assert ({y, x} <= pending_key);
            if ({y, x} == pending_key) assert ((pending & up_to_this) == 0);
        end
        if (any_before && !valid) begin
            assert (before[14:7] < slide_key);
            if (judged != 0) assert (before[14:7] < judged_key);
            if (pending != 0) assert (before[14:7] < pending_key);
        end
        assert (at_work || idle);
        if (rests) assert (!any_before);
    end
`endif
endmodule
