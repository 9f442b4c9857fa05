// A request streams the complete legal set of the board as it stood when the request came. A clearing in
// the middle of a set spoils the rest of it, about whose cells nothing is claimed.
module proof(
    input clock,
    input clear,
    input start_is_a,
    input side,
    input place,
    input [48:0] footprint,
    input [4:0] tile,
    input [3:0] x,
    input [3:0] y,
    input stream,
    input ready
);
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
    (* hierconn *) wire [13:0] \dut.block.policy_maps.allowed_one$q ;
    (* hierconn *) wire [13:0] \dut.block.policy_maps.corner_one$q ;
    wire [1:0] job = \dut.block.job$q ;
    wire [4:0] step = \dut.block.step$q ;
    wire [20:0] side_0_used = \dut.block.side_0_used$q ;
    wire [20:0] side_1_used = \dut.block.side_1_used$q ;
    wire [195:0] side_0 = \dut.block.store.side_0$q ;
    wire [195:0] side_1 = \dut.block.store.side_1$q ;
    localparam STREAM = 2;

    // What was asked, and on which board.
    reg asked_side = 0, asked_start_is_a = 0, spoilt = 0;
    reg [20:0] own_used = 0, opponent_used = 0;
    wire request = idle && stream && !place;
    // Loads since the request, and cycles without those in which the reader was not ready.
    reg [4:0] loads = 14, elapsed = 0;
    reg loaded = 0;
    reg [3:0] loaded_row = 0;
    always @(posedge clock) begin
        loaded <= load;
        loaded_row <= row;
        if (load) loads <= loads + 1;
        if (elapsed < 7 || ready) elapsed <= elapsed + 1;
        if (job == STREAM && clear) spoilt <= 1;
        if (request) begin
            spoilt <= 0;
            asked_side <= side;
            asked_start_is_a <= start_is_a;
            own_used <= clear ? 0 : side ? side_1_used : side_0_used;
            opponent_used <= clear ? 0 : side ? side_0_used : side_1_used;
            loads <= 0;
            elapsed <= 0;
        end
    end

    // While a set streams that is not spoilt, side and start cell keep still (jobs).
    always @*
        if (job == STREAM && !spoilt) begin
            assume (side == asked_side);
            assume (start_is_a == asked_start_is_a);
        end

    // Both boards as they stood, moving by a row with every step: rows `step - 9` to `step + 13`, empty
    // off the board.
    reg [321:0] own_near = 0, opponent_near = 0;
    always @(posedge clock)
        if (request) begin
            own_near <= clear ? 0 : {side ? side_1 : side_0, 126'b0};
            opponent_near <= clear ? 0 : {side ? side_0 : side_1, 126'b0};
        end else if (elapsed < 7 || ready) begin
            own_near <= own_near >> 14;
            opponent_near <= opponent_near >> 14;
        end

    // The claim about the order: loads come row by row, one a cycle from the eighth on wherever the
    // reader is ready, and the generator is idle after the last one.
`ifndef VERDICTS
    always @* begin
        if (load) assert (row == loads);
        if (job == STREAM) assert (load == (elapsed >= 7 && ready));
        if (job == STREAM) assert (elapsed < 21);
        if (job != STREAM) assert (loads == 14);
    end
`endif

    // The claim about cells: at a load, the windows hold the cells that the rule names.
    wire own_starts_at_a = asked_start_is_a ^ asked_side;
    wire [3:0] start = own_starts_at_a ? 9 : 4;
    wire [139:0] allowed_window = window[139:0], corner_window = window[279:140];
    wire [69:0] allowed, corner, window_allowed, window_corner;
    cells cells(.own_rows(own_near[14 +: 98]), .opponent_rows(opponent_near[14 +: 98]),
        .fresh(own_used == 0), .start_x(start), .start_y(start), .y(row), .allowed(allowed),
        .corner(corner));
    genvar i;
    generate
        for (i = 0; i < 5; i = i + 1) begin : tile_row
            assign window_allowed[14 * i +: 14] = allowed_window[20 * i + 21 +: 14];
            assign window_corner[14 * i +: 14] = corner_window[20 * i + 21 +: 14];
        end
    endgenerate
`ifndef VERDICTS
    always @*
        if (load && !spoilt) begin
            assert (window_allowed == allowed);
            assert (window_corner == (allowed & corner));
        end
`endif

    // The claim about placements: after a load, the outputs are the rule's verdict about these cells.
    wire [20:0] tiles = ~(side ? side_1_used : side_0_used);
    wire [1273:0] verdict;
    placements placements(.allowed(window_allowed), .corner(window_corner), .tiles(tiles),
        .legal(verdict));
`ifdef VERDICTS
    // Between loads they stay. The first cycle has none before it.
    reg later;
    reg [1273:0] last_legal;
    always @(posedge clock) begin
        later <= 1;
        last_legal <= load ? verdict : legal;
    end
    always @* if (later) assert (legal == last_legal);
`define KNOWN assume
`else
`define KNOWN assert
`endif
    // A window's rows have one empty column before the first one and five after the last one.
    generate
        for (i = 0; i < 7; i = i + 1) begin : margin
            always @* begin
                `KNOWN (!allowed_window[20 * i] && allowed_window[20 * i + 15 +: 5] == 0);
                `KNOWN (!corner_window[20 * i] && corner_window[20 * i + 15 +: 5] == 0);
            end
        end
    endgenerate

`ifdef INVARIANTS
    // What keeps it: where every row of the board is at every step.
    wire streaming = job == STREAM;
    wire [195:0] own_ring = asked_side ? side_1 : side_0;
    wire [195:0] opponent_ring = asked_side ? side_0 : side_1;
    always @* begin
        assert (job <= STREAM);
        if (streaming) begin
            assert (step <= 20);
            assert (step == elapsed);
            assert (loads == (step < 7 ? 0 : step - 7));
        end
        if (streaming && !spoilt) begin
            assert (own_used == (asked_side ? side_1_used : side_0_used));
            assert (opponent_used == (asked_side ? side_0_used : side_1_used));
            if (step > 0 && step <= 14) begin
                assert (own_ring[195 -: 14] == own_near[14 * 8 +: 14]);
                assert (opponent_ring[195 -: 14] == opponent_near[14 * 8 +: 14]);
            end
        end
        if (loaded) assert (!streaming || step == loaded_row + 8);
    end
    generate
        for (i = 0; i < 23; i = i + 1) begin : off_board
            always @*
                if (streaming && (step + i < 9 || step + i >= 23)) begin
                    assert (own_near[14 * i +: 14] == 0);
                    assert (opponent_near[14 * i +: 14] == 0);
                end
        end
        for (i = 0; i < 14; i = i + 1) begin : ring
            always @*
                if (streaming && !spoilt && step + i < 14) begin
                    assert (own_ring[14 * i +: 14] == own_near[14 * (i + 9) +: 14]);
                    assert (opponent_ring[14 * i +: 14] == opponent_near[14 * (i + 9) +: 14]);
                end
        end
        // Derived rows step - 8 + i; the last one is the row that the maps hold.
        for (i = 0; i < 8; i = i + 1) begin : derived
            wire [13:0] above = own_near[14 * i +: 14];
            wire [13:0] here = own_near[14 * (i + 1) +: 14];
            wire [13:0] below = own_near[14 * (i + 2) +: 14];
            wire [13:0] other = opponent_near[14 * (i + 1) +: 14];
            wire on_board = step + i >= 8 && step + i < 22;
            wire [13:0] start_cell = step + i == start + 8 ? 1 << start : 0;
            wire [13:0] allowed = on_board
                ? ~(here | other | above | below | here << 1 | here >> 1) : 0;
            wire [13:0] diagonal = own_used == 0 ? start_cell
                : (above | below) << 1 | (above | below) >> 1;
            wire [13:0] corner = allowed & diagonal;
            if (i == 7) begin
                always @*
                    if (streaming && !spoilt && step > 0) begin
                        assert (\dut.block.policy_maps.allowed_one$q == allowed);
                        assert (\dut.block.policy_maps.corner_one$q == corner);
                    end
            end else begin
                always @*
                    if (streaming && !spoilt && step + i >= 8) begin
                        assert (allowed_window[20 * i + 1 +: 14] == allowed);
                        assert (corner_window[20 * i + 1 +: 14] == corner);
                    end
            end
        end
    endgenerate
`endif
endmodule
