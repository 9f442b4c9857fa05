// decode(encode(p)) = p for every placement p, and its tile is the one of the rules' table.
module round_trip(input [6:0] orientation, input [3:0] x, input [3:0] y);
    wire exists;
    on_board on_board(.orientation(orientation), .x(x), .y(y), .yes(exists));

    wire [31:0] code;
    wire [4:0] tile;
    encoder encoder(.orientation(orientation), .x(x), .y(y), .code(code), .tile(tile));

    wire [4:0] rules_tile;
    orientations orientations(.orientation(orientation), .tile(rules_tile));

    wire pass, valid;
    wire [6:0] decoded_orientation;
    wire [3:0] decoded_x, decoded_y;
    decoder decoder(.code(code), .pass(pass), .valid(valid), .orientation(decoded_orientation),
        .x(decoded_x), .y(decoded_y));

    always @* begin
        assume (exists);
        assert (valid);
        assert (!pass);
        assert (tile == rules_tile);
        assert (decoded_orientation == orientation);
        assert (decoded_x == x);
        assert (decoded_y == y);
    end
endmodule
