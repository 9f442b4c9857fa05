// The rows that the expander loads into its placement scan hold the cells that the rule names for the position that
// its position ring holds, and the placement scan's placements leave the expander as they are.
//
// A pass is what follows a request, or the second pass over all tiles: the position ring makes one
// revolution, and 14 rows are loaded. Before it the network may have a revolution of its own, in which nothing is
// loaded. Whether there is a network, and when it is ready, is any.
module proof(input wire clock, input wire start_is_a, input wire start, input wire take,
    input wire stamp, input wire side, input wire [14:0] stamped, input wire [83:0] incoming,
    input wire [20:0] used_0, input wire [20:0] used_1, input wire score, input wire [15:0] value,
    input wire list);
    wire idle, done, legal;
    wire [14:0] legal_placement;
    expander dut(.clock, .start_is_a, .start, .take, .stamp, .side, .stamped, .incoming,
        .incoming_used$0(used_0), .incoming_used$1(used_1), .score, .value, .list, .idle, .done, .legal,
        .legal_placement);

    (* hierconn *) wire [2:0] \dut.state$q ;
    (* hierconn *) wire \dut.advance , \dut.scan_start , \dut.list_done$q ;
    (* hierconn *) wire \dut.position_ring$valid , \dut.position_ring$advance , \dut.position_ring.taking$q , \dut.position_ring.stamping$q ;
    (* hierconn *) wire \dut.position_ring.preparing$q , \dut.position_ring.running$q ;
    (* hierconn *) wire [3:0] \dut.position_ring$row ;
    (* hierconn *) wire [83:0] \dut.position_ring$passing ;
    (* hierconn *) wire [20:0] \dut.position_ring$used$0 , \dut.position_ring$used$1 ;
    (* hierconn *) wire \dut.placement_scan$load , \dut.placement_scan$ready , \dut.placement_scan$idle , \dut.placement_scan$valid ;
    (* hierconn *) wire [3:0] \dut.placement_scan$row , \dut.placement_scan$x , \dut.placement_scan$y ;
    (* hierconn *) wire [6:0] \dut.placement_scan$orientation ;
    (* hierconn *) wire [20:0] \dut.placement_scan$tiles ;
    (* hierconn *) wire [139:0] \dut.placement_scan$window$0 , \dut.placement_scan$window$1 ;
    wire resting = \dut.state$q == 0, feeding = \dut.state$q == 1, finishing = \dut.state$q == 2;
    wire networking = \dut.state$q == 4, streaming = feeding || networking;
    wire load = \dut.placement_scan$load ;
    wire [3:0] row = \dut.placement_scan$row ;
    wire [20:0] tiles = \dut.placement_scan$tiles ;

    // What was asked, and how many rows of the position ring have passed since the pass began.
    reg asked = 0, asked_start_is_a = 0, listing = 0, fresh = 0;
    reg [20:0] remaining = 0;
    reg [3:0] passed = 0, loads = 14;
    wire whose = resting ? side : asked;
    wire [20:0] used = whose ? \dut.position_ring$used$1 : \dut.position_ring$used$0 ;
    wire [13:0] own_passing = asked ? \dut.position_ring$passing [27:14] : \dut.position_ring$passing [13:0];
    wire [13:0] opponent_passing = asked ? \dut.position_ring$passing [13:0] : \dut.position_ring$passing [27:14];
    wire turns = \dut.position_ring.preparing$q || \dut.position_ring.running$q ;
    wire passes = streaming && \dut.position_ring$valid && \dut.position_ring$advance ;
    // The placement scan's tiles are in use. Nothing was loaded since the placement scan was idle.
    reg at_work = 0, rests = 1;
    reg [20:0] last_tiles = 0;
    reg [3:0] last_row = 0;
    always @(posedge clock) begin
        if (passes) passed <= passed + 1;
        if (load) loads <= loads + 1;
        if (\dut.scan_start ) begin
            asked <= whose;
            asked_start_is_a <= start_is_a;
            if (resting) listing <= list;
            remaining <= ~used;
            fresh <= used == 0;
            passed <= 0;
            loads <= 0;
        end
        at_work <= load || !\dut.placement_scan$idle ;
        rests <= \dut.placement_scan$idle && !load;
        last_tiles <= tiles;
        if (load) last_row <= row;
    end
    // The last nine rows, the newest one highest: those that have passed, then an empty one with each load.
    reg [125:0] own = 0, opponent = 0;
    reg [4:0] fed = 0;
    always @(posedge clock)
        if (\dut.scan_start ) begin
            own <= 0;
            opponent <= 0;
            fed <= 0;
        end else if (passes || load || networking && \dut.advance ) begin
            own <= {passes ? own_passing : 14'd0, own[125:14]};
            opponent <= {passes ? opponent_passing : 14'd0, opponent[125:14]};
            fed <= fed + 1;
        end
    wire [3:0] start_cell = asked_start_is_a ^ asked ? 9 : 4;

    // The environment. [placement_scan: once idle, it outputs nothing and stays idle until a row is loaded]
    always @* if (rests) assume (\dut.placement_scan$idle && !\dut.placement_scan$valid );
    // [not proved: the start cell holds still while rows are loaded]
    always @* if (streaming) assume (start_is_a == asked_start_is_a);
    // [position_ring and the rule: a side that has used no tile has no cell, and the first tile of the other ones
    // covers the start cell]
    always @*
        if (streaming && \dut.position_ring$valid ) begin
            if (fresh) assume (own_passing == 0);
            if (!fresh && \dut.position_ring$row == start_cell) assume (own_passing[start_cell]);
        end

    // The claims about the order: the position ring turns without taking or stamping anything, each of its rows
    // passes once, from the first to the last, and 14 rows are loaded when the placement scan is ready.
    always @* begin
        if (passes) assert (\dut.position_ring$row == passed && passed < 14);
        if (!resting && turns) assert (!\dut.position_ring.taking$q && !\dut.position_ring.stamping$q );
        if (load) assert (\dut.placement_scan$ready && row == loads && row < 14 && (\dut.placement_scan$idle || row > last_row));
        if (load) assert (fed == row + 8 && passed == (fed < 14 ? fed : 14));
        if (finishing || \dut.list_done$q ) assert (passed == 14 && loads == 14);
    end

    // The claim about cells: the windows hold those that the rule names for the rows that have passed, of
    // which the oldest one is the row above the one that is loaded.
    wire [69:0] allowed, corner, window_allowed, window_corner;
    cells cells(.own_rows(own[97:0]), .opponent_rows(opponent[97:0]), .fresh,
        .start_x(start_cell), .start_y(start_cell), .y(row), .allowed, .corner);
    genvar i;
    generate
        for (i = 0; i < 5; i = i + 1) begin : tile_row
            assign window_allowed[14 * i +: 14] = \dut.placement_scan$window$0 [20 * i + 21 +: 14];
            assign window_corner[14 * i +: 14] = \dut.placement_scan$window$1 [20 * i + 21 +: 14];
        end
    endgenerate
    always @*
        if (load) begin
            assert (window_allowed == allowed);
            assert (window_corner == (allowed & corner));
        end

    // The claim about tiles: they are some of those that were left when the pass began, for a list all of
    // them, and they hold still while the placement scan uses them.
    always @* begin
        if (load) assert ((tiles & ~remaining) == 0 && (!listing || tiles == remaining));
        if (at_work) assert (tiles == last_tiles);
    end

    // The claim about what comes out: the placement scan's placements, nothing at rest, and for a list all of them
    // before its end.
    always @* begin
        assert (legal == \dut.placement_scan$valid );
        assert (legal_placement == {\dut.placement_scan$y , \dut.placement_scan$x , \dut.placement_scan$orientation });
        if (resting) assert (!legal);
        if (\dut.list_done$q ) assert (done && listing && rests);
    end

`ifdef INVARIANTS
    // What keeps them: where every row is at every step.
    (* hierconn *) wire [4:0] \dut.step$q ;
    (* hierconn *) wire \dut.request_side$q , \dut.list_only$q , \dut.all_tiles$q ;
    (* hierconn *) wire \dut.prior_maps.has_row$q ;
    (* hierconn *) wire [13:0] \dut.prior_maps.cells_one$0$q , \dut.prior_maps.cells_one$1$q ;
    (* hierconn *) wire [13:0] \dut.prior_maps.cells_two$0$q , \dut.prior_maps.allowed$0$q , \dut.prior_maps.corner$0$q ;
    wire [4:0] step = \dut.step$q ;
    wire preparing = \dut.position_ring.preparing$q , running = \dut.position_ring.running$q ;
    always @* begin
        assert (!(preparing && running));
        assert (running ? \dut.position_ring$row < 14 : \dut.position_ring$row == 0);
        assert (\dut.state$q <= 4);
        assert (feeding ? step <= 21 : networking ? step <= 18 : step == 0);
        if (streaming) begin
            assert (fed == step && passed == (step < 14 ? step : 14));
            assert (loads == (networking || step < 8 ? 0 : step - 8));
            if (preparing) assert (step == 0);
            if (running) assert (\dut.position_ring$row == step);
            if (!preparing && !running) assert (step >= 14);
            if (loads > 0) assert (last_row + 1 == loads);
            if (networking) assert (rests);
        end else if (!resting) assert (!preparing && !running);
        if (!resting) assert (passed == 14 || streaming);
        if (!streaming) assert (loads == 14);
        if (!resting) assert (asked == \dut.request_side$q && listing == \dut.list_only$q );
        if (!resting && listing) assert (\dut.all_tiles$q );
        if (streaming || finishing) assert (remaining == ~used && fresh == (remaining == 21'h1fffff));
        if (!rests) assert (feeding && step >= 9 || finishing);
        assert (at_work == !rests);
    end

    // The nine rows are `step - 9` to `step - 1`, empty off the board.
    wire [13:0] newest = streaming ? own[14 * 8 +: 14] : 0, before = streaming ? own[14 * 7 +: 14] : 0;
    always @* begin
        if (streaming && fresh) assert (own == 0);
        assert (\dut.prior_maps.has_row$q == (step >= 1 && step <= 14));
        assert (\dut.prior_maps.cells_one$0$q == newest && \dut.prior_maps.cells_two$0$q == before);
        assert (\dut.prior_maps.cells_one$1$q == (streaming ? opponent[14 * 8 +: 14] : 0));
    end
    generate
        for (i = 0; i < 9; i = i + 1) begin : row_at
            always @*
                if (streaming) begin
                    if (step + i < 9 || step + i >= 23)
                        assert (own[14 * i +: 14] == 0 && opponent[14 * i +: 14] == 0);
                    if (!fresh && step + i == start_cell + 9) assert (own[14 * i + start_cell]);
                end
        end
        for (i = 1; i < 8; i = i + 1) begin : derived
            wire [13:0] above = own[14 * (i - 1) +: 14], below = own[14 * (i + 1) +: 14];
            wire [13:0] here = own[14 * i +: 14], other = opponent[14 * i +: 14];
            wire is_row = step + i >= 9 && step + i < 23;
            wire [13:0] open = is_row ? ~(here | other | above | below | here << 1 | here >> 1) : 0;
            wire [13:0] first = step + i == start_cell + 9 ? 1 << start_cell : 0;
            wire [13:0] from = open & ((above | below) << 1 | (above | below) >> 1 | first);
            always @*
                if (feeding && step + i >= 9)
                    if (i == 7)
                        assert (\dut.prior_maps.allowed$0$q == open && \dut.prior_maps.corner$0$q == from);
                    else
                        assert (\dut.placement_scan$window$0 [20 * i + 1 +: 14] == open
                            && \dut.placement_scan$window$1 [20 * i + 1 +: 14] == from);
        end
    endgenerate

    // The tiles are chosen in three cycles from what holds still by then: the tiles used, the side and
    // whether all are wanted.
    (* hierconn *) wire [2:0] \dut.tile_filter.group_counts$0$d , \dut.tile_filter.group_counts$0$q ;
    (* hierconn *) wire [2:0] \dut.tile_filter.group_counts$1$d , \dut.tile_filter.group_counts$1$q ;
    (* hierconn *) wire [2:0] \dut.tile_filter.group_counts$2$d , \dut.tile_filter.group_counts$2$q ;
    (* hierconn *) wire [2:0] \dut.tile_filter.group_counts$3$d , \dut.tile_filter.group_counts$3$q ;
    (* hierconn *) wire [2:0] \dut.tile_filter.group_counts$4$d , \dut.tile_filter.group_counts$4$q ;
    (* hierconn *) wire [2:0] \dut.tile_filter.group_counts$5$d , \dut.tile_filter.group_counts$5$q ;
    (* hierconn *) wire [5:0] \dut.tile_filter.tiles_on_board$d , \dut.tile_filter.tiles_on_board$q ;
    (* hierconn *) wire [20:0] \dut.tile_filter.wanted_now$d , \dut.tile_filter.wanted_now$q ;
    wire [43:0] chosen_from = {\dut.position_ring$used$1 , \dut.position_ring$used$0 , \dut.request_side$q , \dut.all_tiles$q };
    reg [43:0] last_chosen_from = 0;
    reg [1:0] was_calm = 0;
    wire [1:0] calm = chosen_from == last_chosen_from ? was_calm : 0;
    always @(posedge clock) begin
        last_chosen_from <= chosen_from;
        was_calm <= calm == 3 ? 3 : calm + 1;
    end
    always @* begin
        if (calm >= 1) begin
            assert (\dut.tile_filter.group_counts$0$q == \dut.tile_filter.group_counts$0$d );
            assert (\dut.tile_filter.group_counts$1$q == \dut.tile_filter.group_counts$1$d );
            assert (\dut.tile_filter.group_counts$2$q == \dut.tile_filter.group_counts$2$d );
            assert (\dut.tile_filter.group_counts$3$q == \dut.tile_filter.group_counts$3$d );
            assert (\dut.tile_filter.group_counts$4$q == \dut.tile_filter.group_counts$4$d );
            assert (\dut.tile_filter.group_counts$5$q == \dut.tile_filter.group_counts$5$d );
        end
        if (calm >= 2) assert (\dut.tile_filter.tiles_on_board$q == \dut.tile_filter.tiles_on_board$d );
        if (calm >= 3) assert (\dut.tile_filter.wanted_now$q == \dut.tile_filter.wanted_now$d );
        if (streaming && running) assert (calm >= 1);
        if (streaming && step >= 1) assert (calm >= 2);
        if (streaming && step >= 2 || finishing) assert (calm == 3);
    end
`endif
endmodule
