// The rule about cells: which ones a side may cover, and from which ones it may start.
//
// It speaks of rows `y` to `y + 4`, those that a tile anchored in row `y` can reach, cell `(x, y + d)`
// at bit `14 * d + x`. `own_rows` and `opponent_rows` are rows `y - 1` to `y + 5` of both sides' boards,
// the first one lowest, column 0 lowest in each; what lies off the board is empty.
module cells(
    input [97:0] own_rows,
    input [97:0] opponent_rows,
    input fresh,
    input [3:0] start_x,
    input [3:0] start_y,
    input [3:0] y,
    output [69:0] allowed,
    output [69:0] corner
);
    genvar dx, dy;
    generate
        for (dy = 0; dy < 5; dy = dy + 1)
            for (dx = 0; dx < 14; dx = dx + 1) begin : cell_at
                localparam here = 14 * (dy + 1) + dx;
                wire west = dx > 0 && own_rows[here - (dx > 0 ? 1 : 0)];
                wire east = dx < 13 && own_rows[here + (dx < 13 ? 1 : 0)];
                wire north_west = dx > 0 && own_rows[here - 14 - (dx > 0 ? 1 : 0)];
                wire north_east = dx < 13 && own_rows[here - 14 + (dx < 13 ? 1 : 0)];
                wire south_west = dx > 0 && own_rows[here + 14 - (dx > 0 ? 1 : 0)];
                wire south_east = dx < 13 && own_rows[here + 14 + (dx < 13 ? 1 : 0)];
                wire north = own_rows[here - 14];
                wire south = own_rows[here + 14];
                wire on_board = y + dy < 14;
                wire taken = own_rows[here] || opponent_rows[here];
                wire edge_to_own = north || south || west || east;
                wire is_start = start_x == dx && start_y == y + dy;
                wire diagonal_to_own = north_west || north_east || south_west || south_east;
                assign allowed[14 * dy + dx] = on_board && !taken && !edge_to_own;
                assign corner[14 * dy + dx] = fresh ? is_start : diagonal_to_own;
            end
    endgenerate
endmodule
