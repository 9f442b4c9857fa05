// The search player's board: a position ring's revolution changes exactly the cells of the placement that it stamps,
// as the rules have them, and takes its tile. Which placement, whose and whether, is read when the revolution
// starts and may be anything, off the board too; so may the moments at which rows move on.
//
// The board is one cell of it, whichever it is: what holds for each cell holds for all.
module proof(input wire clock, input wire start, input wire take, input wire stamp, input wire side,
    input wire [14:0] placement, input wire advance, input wire [83:0] incoming, input wire [20:0] mine_in,
    input wire [20:0] theirs_in);
    wire idle, valid;
    wire [3:0] row;
    wire [83:0] passing;
    wire [20:0] side_0_used, side_1_used;
    position_ring dut(.clock, .start, .take, .stamp, .side, .placement, .advance, .incoming,
        .incoming_used$0 (mine_in), .incoming_used$1 (theirs_in), .idle, .valid, .row, .passing,
        .used$0 (side_0_used), .used$1 (side_1_used));

    // The cell, and whether the placement that is stamped covers it.
    (* anyconst *) reg [3:0] cell_x, cell_y;
    always @(*) assume (cell_x < 14 && cell_y < 14);
    reg [14:0] asked = 0;
    reg taking = 0, stamping = 0, whose = 0, preparing = 0;
    wire [48:0] footprint;
    wire [4:0] tile;
    orientations orientations(.orientation(asked[6:0]), .footprint, .tile);
    wire [3:0] x = asked[10:7], y = asked[14:11];
    wire [3:0] right = cell_x - x, down = cell_y - y;
    wire covers = cell_x >= x && right < 5 && cell_y >= y && down < 5 && footprint[7 * (down + 1) + right + 1];

    // The cell and the tiles as they should be.
    reg side_0 = 0, side_1 = 0;
    reg [20:0] model_side_0 = 0, model_side_1 = 0;
    wire next_side_0 = (taking ? incoming[cell_x] : side_0) || stamping && !whose && covers;
    wire next_side_1 = (taking ? incoming[14 + cell_x] : side_1) || stamping && whose && covers;
    wire passes = valid && row == cell_y;
    always @(posedge clock) begin
        preparing <= idle && start;
        if (idle && start) begin
            asked <= placement;
            taking <= take;
            stamping <= stamp;
            whose <= side;
            if (take) begin
                model_side_0 <= mine_in;
                model_side_1 <= theirs_in;
            end
        end
        if (preparing && stamping && !whose) model_side_0 <= model_side_0 | 21'd1 << tile;
        if (preparing && stamping && whose) model_side_1 <= model_side_1 | 21'd1 << tile;
        if (passes && advance) begin
            side_0 <= next_side_0;
            side_1 <= next_side_1;
        end
    end

    // The claims: the row that passes shows the board with the placement, and at rest the board holds it.
    (* hierconn *) wire [195:0] \dut.ring$0$q , \dut.ring$1$q ;
    wire [7:0] home = 14 * cell_y + cell_x;
    always @(*) begin
        if (passes) assert (passing[cell_x] == next_side_0 && passing[14 + cell_x] == next_side_1);
        if (idle) assert (\dut.ring$0$q [home] == side_0 && \dut.ring$1$q [home] == side_1);
        if (!preparing) assert (side_0_used == model_side_0 && side_1_used == model_side_1);
    end

`ifdef INVARIANT
    // What holds in every state that can be reached, so that one cycle proves the next: how far the rows have
    // turned, and which row of the shape comes next.
    (* hierconn *) wire \dut.preparing$q , \dut.running$q , \dut.taking$q , \dut.stamping$q , \dut.stamped_side$q ;
    (* hierconn *) wire [3:0] \dut.step$q , \dut.column$q ;
    (* hierconn *) wire [29:0] \dut.shape$q ;
    (* hierconn *) wire [4:0] \dut.offset$q ;
    (* hierconn *) wire [13:0] \dut.cells$q ;
    wire [3:0] step = \dut.step$q ;
    wire [3:0] ahead = cell_y >= step ? cell_y - step : cell_y + 4'd14 - step;
    wire [7:0] now = 14 * ahead + cell_x;
    wire [24:0] box = {footprint[40:36], footprint[33:29], footprint[26:22], footprint[19:15], footprint[12:8]};
    wire [3:0] into = step - y;
    wire [4:0] offset = preparing ? 5'd0 - y : step + 5'd1 - y;
    wire in_row = cell_x >= x && right < 5 && step >= y && into < 5 && footprint[7 * (into + 1) + right + 1];
    always @(*) begin
        assert (!(\dut.preparing$q && \dut.running$q ) && \dut.preparing$q == preparing);
        assert (\dut.running$q ? step < 14 : step == 0);
        assert (\dut.ring$0$q [now] == side_0 && \dut.ring$1$q [now] == side_1);
        assert (side_0_used == model_side_0 && side_1_used == model_side_1);
        if (!idle) begin
            assert (\dut.taking$q == taking && \dut.stamping$q == stamping && \dut.stamped_side$q == whose);
            assert (\dut.column$q == x && \dut.shape$q == {tile, box});
            assert (\dut.offset$q == offset);
        end
        if (\dut.running$q ) assert (\dut.cells$q [cell_x] == in_row);
    end
`endif
endmodule
