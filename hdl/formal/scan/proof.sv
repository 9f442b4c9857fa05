// The scan outputs what the legality check found.
module proof(
    input clock,
    input load,
    input flush,
    input [3:0] row,
    input [1273:0] legal,
    input [699:0] window
);
    wire ready, idle, valid;
    wire [6:0] orientation;
    wire [3:0] x, y;
    wire [244:0] patch;
    scan_packed dut(.clock(clock), .load(load), .flush(flush), .row(row), .legal(legal),
        .window(window), .ready(ready), .idle(idle), .valid(valid), .orientation(orientation),
        .x(x), .y(y), .patch(patch));

    // Any placement of a row, and any cell of any map in the box around it: what is shown for them
    // holds for all of them.
    (* anyconst *) reg [6:0] some_orientation;
    (* anyconst *) reg [3:0] some_x;
    (* anyconst *) reg [2:0] map, box_x, box_y;
    always @* begin
        assume (some_orientation < 91 && some_x < 14);
        assume (map < 5 && box_x < 7 && box_y < 7);
    end
    wire verdict = legal[14 * some_orientation + some_x];
    wire [9:0] in_window = 140 * map + 20 * box_y + box_x;
    wire [7:0] in_patch = 49 * map + 7 * box_y + box_x;
    wire seen = valid && orientation == some_orientation && x == some_x;

    // A row's verdicts are there from the cycle after its load on, and stay until the next one. At
    // that cycle the row before may output its last placement.
    reg loaded = 0;
    reg [3:0] next_row = 0, this_row = 0;
    reg next_cell = 0, this_cell = 0;
    // The placement is legal and still to come; it has come.
    reg due = 0, done = 0;
    reg last_verdict = 0;
    always @(posedge clock) begin
        loaded <= load && !flush;
        last_verdict <= verdict;
        if (load) begin
            next_row <= row;
            next_cell <= window[in_window + some_x];
        end
        if (loaded) begin
            this_row <= next_row;
            this_cell <= next_cell;
            due <= verdict;
            done <= 0;
        end else if (seen) begin
            due <= 0;
            done <= 1;
        end
        if (flush) begin
            due <= 0;
            done <= 0;
        end
    end
    always @* begin
        assume (!load || ready);
        if (!loaded) assume (verdict == last_verdict);
    end

    // The claims.
    always @* begin
        if (seen) assert (due && y == this_row && patch[in_patch] == this_cell);
        if (loaded || idle) assert (!due || seen);
        if (valid) assert (orientation < 91 && x < 14);
        if (valid && due && !seen) assert ({x, orientation} < {some_x, some_orientation});
        if (valid && done) assert ({x, orientation} > {some_x, some_orientation});
    end

    (* hierconn *) wire \dut.block.busy$q ;
    (* hierconn *) wire [3:0] \dut.block.column$q , \dut.block.next_column$q ;
    (* hierconn *) wire [3:0] \dut.block.anchor_row$q ;
    (* hierconn *) wire [12:0] \dut.block.pending$0$q , \dut.block.pending$1$q ,
        \dut.block.pending$2$q , \dut.block.pending$3$q , \dut.block.pending$4$q ,
        \dut.block.pending$5$q , \dut.block.pending$6$q ;
    (* hierconn *) wire [139:0] \dut.block.sliding$0$q , \dut.block.sliding$1$q ,
        \dut.block.sliding$2$q , \dut.block.sliding$3$q , \dut.block.sliding$4$q ;
    wire busy = \dut.block.busy$q ;
    wire [3:0] column = \dut.block.column$q , next_column = \dut.block.next_column$q ;
    wire [90:0] pending = {\dut.block.pending$6$q , \dut.block.pending$5$q , \dut.block.pending$4$q ,
        \dut.block.pending$3$q , \dut.block.pending$2$q , \dut.block.pending$1$q ,
        \dut.block.pending$0$q };
    wire [699:0] slide = {\dut.block.sliding$4$q , \dut.block.sliding$3$q , \dut.block.sliding$2$q ,
        \dut.block.sliding$1$q , \dut.block.sliding$0$q };

    // The claim about the end: with every cycle the row has a placement or a column less to go.
    reg was_busy = 0;
    reg [3:0] last_column = 0;
    reg [90:0] last_pending = 0;
    always @(posedge clock) begin
        was_busy <= busy && !ready && !load && !flush;
        last_column <= next_column;
        last_pending <= pending;
    end
    wire fewer = (pending & ~last_pending) == 0 && pending != last_pending;
    always @*
        if (was_busy)
            assert (busy && (next_column == last_column + 1 || next_column == last_column && fewer));

`ifdef INVARIANTS
    // What keeps them: where the placement is, and what is before it.
    wire [90:0] up_to_some = ~({91{1'b1}} << some_orientation << 1);
    wire [90:0] up_to_this = ~({91{1'b1}} << orientation << 1);
    wire fetched = busy && next_column > some_x;
    wire is_pending = column == some_x && pending[some_orientation];
    // The window has slid to the column that is examined.
    wire [3:0] slid = next_column == 0 ? 0 : next_column - 1;
    wire [9:0] in_slide = in_window + some_x - slid;
    always @* begin
        if (!busy) assert (pending == 0);
        if (loaded) assert (busy && next_column == 0 && pending == 0);
        if (loaded) assert (\dut.block.anchor_row$q == next_row);
        if (loaded) assert (slide[in_window + some_x] == next_cell);
        if (busy) assert (next_column <= 14);
        if (busy && next_column > 0) assert (column == next_column - 1);
        if (busy && next_column == 0) assert (pending == 0);
        if (busy && next_column == 0 && !loaded) assert (!valid);
        assert (!(due && done));
        if (valid && !loaded && busy) assert (x <= column);
        if (valid && !loaded && x == column && pending != 0) assert ((pending & up_to_this) == 0);
        if (valid && !loaded && busy && !idle) assert (next_column > 0);
        if (busy && !loaded) begin
            assert (\dut.block.anchor_row$q == this_row);
            if (next_column <= some_x + 1) assert (slide[in_slide] == this_cell);
            if (!fetched) assert (due == verdict && !done);
            if (fetched && column == some_x) assert (due == (is_pending || seen));
            if (fetched && column > some_x) assert (due == seen);
            if (fetched && done && column == some_x) assert ((pending & up_to_some) == 0);
        end
        if (!busy) assert (due == seen);
        if (loaded) assert (due == seen);
    end
`endif
endmodule
