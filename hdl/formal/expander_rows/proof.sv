// The rows that the expander loads into its sweep hold the cells that the rule names for the position that
// its field holds, and the sweep's placements leave the expander as they are.
//
// A pass is what follows a request, or the second look at all tiles: the field turns once, and 14 rows are
// loaded.
module proof(input wire clock, input wire start_is_a, input wire start, input wire take,
    input wire stamp, input wire side, input wire [14:0] stamped, input wire [83:0] incoming,
    input wire [20:0] used_0, input wire [20:0] used_1, input wire score, input wire [15:0] value,
    input wire list);
    wire idle, done, legal;
    wire [14:0] legal_placement;
    expander dut(.clock, .start_is_a, .start, .take, .stamp, .side, .stamped, .incoming,
        .incoming_used$0(used_0), .incoming_used$1(used_1), .score, .value, .list, .idle, .done, .legal,
        .legal_placement);

    (* hierconn *) wire [1:0] \dut.work$q ;
    (* hierconn *) wire \dut.turn , \dut.listed$q ;
    (* hierconn *) wire \dut.field$valid , \dut.field$advance , \dut.field.taking$q , \dut.field.stamping$q ;
    (* hierconn *) wire [3:0] \dut.field$row ;
    (* hierconn *) wire [83:0] \dut.field$passing ;
    (* hierconn *) wire [20:0] \dut.field$used$0 , \dut.field$used$1 ;
    (* hierconn *) wire \dut.sweep$load , \dut.sweep$ready , \dut.sweep$idle , \dut.sweep$valid ;
    (* hierconn *) wire [3:0] \dut.sweep$row , \dut.sweep$x , \dut.sweep$y ;
    (* hierconn *) wire [6:0] \dut.sweep$orientation ;
    (* hierconn *) wire [20:0] \dut.sweep$tiles ;
    (* hierconn *) wire [139:0] \dut.sweep$window$0 , \dut.sweep$window$1 ;
    wire resting = \dut.work$q == 0, feeding = \dut.work$q == 1, finishing = \dut.work$q == 2;
    wire load = \dut.sweep$load ;
    wire [3:0] row = \dut.sweep$row ;
    wire [20:0] tiles = \dut.sweep$tiles ;

    // What was asked, and how many rows of the field have passed since the pass began.
    reg asked = 0, asked_start_is_a = 0, listing = 0, fresh = 0;
    reg [20:0] left = 0;
    reg [3:0] passed = 0, loads = 14;
    wire whose = resting ? side : asked;
    wire [20:0] used = whose ? \dut.field$used$1 : \dut.field$used$0 ;
    wire [13:0] own_passing = asked ? \dut.field$passing [27:14] : \dut.field$passing [13:0];
    wire [13:0] rival_passing = asked ? \dut.field$passing [13:0] : \dut.field$passing [27:14];
    wire passes = feeding && \dut.field$valid && \dut.field$advance ;
    // The sweep's tiles are in use. Nothing was loaded since the sweep was idle.
    reg at_work = 0, rests = 1;
    reg [20:0] last_tiles = 0;
    reg [3:0] last_row = 0;
    always @(posedge clock) begin
        if (passes) passed <= passed + 1;
        if (load) loads <= loads + 1;
        if (\dut.turn ) begin
            asked <= whose;
            asked_start_is_a <= start_is_a;
            if (resting) listing <= list;
            left <= ~used;
            fresh <= used == 0;
            passed <= 0;
            loads <= 0;
        end
        at_work <= load || !\dut.sweep$idle ;
        rests <= \dut.sweep$idle && !load;
        last_tiles <= tiles;
        if (load) last_row <= row;
    end
    // The last nine rows, the newest one highest: those that have passed, then an empty one with each load.
    reg [125:0] own = 0, rival = 0;
    reg [4:0] fed = 0;
    always @(posedge clock)
        if (\dut.turn ) begin
            own <= 0;
            rival <= 0;
            fed <= 0;
        end else if (passes || load) begin
            own <= {passes ? own_passing : 14'd0, own[125:14]};
            rival <= {passes ? rival_passing : 14'd0, rival[125:14]};
            fed <= fed + 1;
        end
    wire [3:0] start_cell = asked_start_is_a ^ asked ? 9 : 4;

    // The environment. [sweep: once idle, it outputs nothing and stays idle until a row is loaded]
    always @* if (rests) assume (\dut.sweep$idle && !\dut.sweep$valid );
    // [not proved: the start cell holds still while rows are loaded]
    always @* if (feeding) assume (start_is_a == asked_start_is_a);
    // [field and the rule: a side that has used no tile has no cell, and the first tile of the other ones
    // covers the start cell]
    always @*
        if (feeding && \dut.field$valid ) begin
            if (fresh) assume (own_passing == 0);
            if (!fresh && \dut.field$row == start_cell) assume (own_passing[start_cell]);
        end

    // The claims about the order: the field turns without taking or stamping anything, each of its rows
    // passes once, from the first to the last, and 14 rows are loaded when the sweep is ready.
    always @* begin
        if (passes) assert (\dut.field$row == passed && passed < 14);
        if (!resting) assert (!\dut.field.taking$q && !\dut.field.stamping$q );
        if (load) assert (\dut.sweep$ready && row == loads && row < 14 && (\dut.sweep$idle || row > last_row));
        if (load) assert (fed == row + 8 && passed == (fed < 14 ? fed : 14));
        if (finishing || \dut.listed$q ) assert (passed == 14 && loads == 14);
    end

    // The claim about cells: the windows hold those that the rule names for the rows that have passed, of
    // which the oldest one is the row above the one that is loaded.
    wire [69:0] allowed, corner, window_allowed, window_corner;
    cells cells(.own_rows(own[97:0]), .rival_rows(rival[97:0]), .fresh(fresh),
        .start_x(start_cell), .start_y(start_cell), .y(row), .allowed(allowed), .corner(corner));
    genvar i;
    generate
        for (i = 0; i < 5; i = i + 1) begin : tile_row
            assign window_allowed[14 * i +: 14] = \dut.sweep$window$0 [20 * i + 21 +: 14];
            assign window_corner[14 * i +: 14] = \dut.sweep$window$1 [20 * i + 21 +: 14];
        end
    endgenerate
    always @*
        if (load) begin
            assert (window_allowed == allowed);
            assert (window_corner == (allowed & corner));
        end

    // The claim about tiles: they are some of those that were left when the pass began, for a list all of
    // them, and they hold still while the sweep uses them.
    always @* begin
        if (load) assert ((tiles & ~left) == 0 && (!listing || tiles == left));
        if (at_work) assert (tiles == last_tiles);
    end

    // The claim about what comes out: the sweep's placements, nothing at rest, and for a list all of them
    // before its end.
    always @* begin
        assert (legal == \dut.sweep$valid );
        assert (legal_placement == {\dut.sweep$y , \dut.sweep$x , \dut.sweep$orientation });
        if (resting) assert (!legal);
        if (\dut.listed$q ) assert (done && listing && rests);
    end

`ifdef INVARIANTS
    // What keeps them: where every row is at every step.
    (* hierconn *) wire [4:0] \dut.step$q ;
    (* hierconn *) wire \dut.asked_side$q , \dut.listing$q , \dut.all_tiles$q ;
    (* hierconn *) wire \dut.field.preparing$q , \dut.field.running$q ;
    (* hierconn *) wire \dut.maps.has_row$q ;
    (* hierconn *) wire [13:0] \dut.maps.cells_one$0$q , \dut.maps.cells_one$1$q ;
    (* hierconn *) wire [13:0] \dut.maps.cells_two$0$q , \dut.maps.allowed$0$q , \dut.maps.corner$0$q ;
    wire [4:0] step = \dut.step$q ;
    wire preparing = \dut.field.preparing$q , running = \dut.field.running$q ;
    always @* begin
        assert (!(preparing && running));
        assert (running ? \dut.field$row < 14 : \dut.field$row == 0);
        assert (feeding ? step <= 21 : step == 0);
        if (feeding) begin
            assert (fed == step && loads == (step < 8 ? 0 : step - 8) && passed == (step < 14 ? step : 14));
            if (preparing) assert (step == 0);
            if (running) assert (\dut.field$row == step);
            if (!preparing && !running) assert (step >= 14);
            if (loads > 0) assert (last_row + 1 == loads);
        end else if (!resting) assert (!preparing && !running);
        if (!resting) assert (passed == 14 || feeding);
        if (!feeding) assert (loads == 14);
        if (!resting) assert (asked == \dut.asked_side$q && listing == \dut.listing$q );
        if (!resting && listing) assert (\dut.all_tiles$q );
        if (feeding || finishing) assert (left == ~used && fresh == (left == 21'h1fffff));
        if (!rests) assert (feeding && step >= 9 || finishing);
        assert (at_work == !rests);
    end

    // The nine rows are `step - 9` to `step - 1`, empty off the board.
    wire [13:0] newest = feeding ? own[14 * 8 +: 14] : 0, before = feeding ? own[14 * 7 +: 14] : 0;
    always @* begin
        if (feeding && fresh) assert (own == 0);
        assert (\dut.maps.has_row$q == (step >= 1 && step <= 14));
        assert (\dut.maps.cells_one$0$q == newest && \dut.maps.cells_two$0$q == before);
        assert (\dut.maps.cells_one$1$q == (feeding ? rival[14 * 8 +: 14] : 0));
    end
    generate
        for (i = 0; i < 9; i = i + 1) begin : row_at
            always @*
                if (feeding) begin
                    if (step + i < 9 || step + i >= 23)
                        assert (own[14 * i +: 14] == 0 && rival[14 * i +: 14] == 0);
                    if (!fresh && step + i == start_cell + 9) assert (own[14 * i + start_cell]);
                end
        end
        for (i = 1; i < 8; i = i + 1) begin : derived
            wire [13:0] above = own[14 * (i - 1) +: 14], below = own[14 * (i + 1) +: 14];
            wire [13:0] here = own[14 * i +: 14], other = rival[14 * i +: 14];
            wire is_row = step + i >= 9 && step + i < 23;
            wire [13:0] open = is_row ? ~(here | other | above | below | here << 1 | here >> 1) : 0;
            wire [13:0] first = step + i == start_cell + 9 ? 1 << start_cell : 0;
            wire [13:0] from = open & ((above | below) << 1 | (above | below) >> 1 | first);
            always @*
                if (feeding && step + i >= 9)
                    if (i == 7)
                        assert (\dut.maps.allowed$0$q == open && \dut.maps.corner$0$q == from);
                    else
                        assert (\dut.sweep$window$0 [20 * i + 1 +: 14] == open
                            && \dut.sweep$window$1 [20 * i + 1 +: 14] == from);
        end
    endgenerate

    // The tiles are chosen in three clocks from what holds still by then: the tiles used, the side and
    // whether all are wanted.
    (* hierconn *) wire [2:0] \dut.choice.sevens$0$d , \dut.choice.sevens$0$q ;
    (* hierconn *) wire [2:0] \dut.choice.sevens$1$d , \dut.choice.sevens$1$q ;
    (* hierconn *) wire [2:0] \dut.choice.sevens$2$d , \dut.choice.sevens$2$q ;
    (* hierconn *) wire [2:0] \dut.choice.sevens$3$d , \dut.choice.sevens$3$q ;
    (* hierconn *) wire [2:0] \dut.choice.sevens$4$d , \dut.choice.sevens$4$q ;
    (* hierconn *) wire [2:0] \dut.choice.sevens$5$d , \dut.choice.sevens$5$q ;
    (* hierconn *) wire [5:0] \dut.choice.on_board$d , \dut.choice.on_board$q ;
    (* hierconn *) wire [20:0] \dut.choice.wanted_now$d , \dut.choice.wanted_now$q ;
    wire [43:0] chosen_from = {\dut.field$used$1 , \dut.field$used$0 , \dut.asked_side$q , \dut.all_tiles$q };
    reg [43:0] last_chosen_from = 0;
    reg [1:0] was_calm = 0;
    wire [1:0] calm = chosen_from == last_chosen_from ? was_calm : 0;
    always @(posedge clock) begin
        last_chosen_from <= chosen_from;
        was_calm <= calm == 3 ? 3 : calm + 1;
    end
    always @* begin
        if (calm >= 1) begin
            assert (\dut.choice.sevens$0$q == \dut.choice.sevens$0$d );
            assert (\dut.choice.sevens$1$q == \dut.choice.sevens$1$d );
            assert (\dut.choice.sevens$2$q == \dut.choice.sevens$2$d );
            assert (\dut.choice.sevens$3$q == \dut.choice.sevens$3$d );
            assert (\dut.choice.sevens$4$q == \dut.choice.sevens$4$d );
            assert (\dut.choice.sevens$5$q == \dut.choice.sevens$5$d );
        end
        if (calm >= 2) assert (\dut.choice.on_board$q == \dut.choice.on_board$d );
        if (calm >= 3) assert (\dut.choice.wanted_now$q == \dut.choice.wanted_now$d );
        if (feeding && running) assert (calm >= 1);
        if (feeding && step >= 1) assert (calm >= 2);
        if (feeding && step >= 2 || finishing) assert (calm == 3);
    end
`endif
endmodule
