// What the decoder makes of every word of 32 bits, against the contest's description of codes.
module words(input [31:0] code);
    wire pass, valid;
    wire [6:0] orientation;
    wire [3:0] x, y;
    decoder decoder(.code(code), .pass(pass), .valid(valid), .orientation(orientation), .x(x), .y(y));

    // The letters: a column and a row out of 1-9 and a-e, a tile a-u, a rotation 0-7.
    wire [7:0] column = code[7:0], row = code[15:8], letter = code[23:16], digit = code[31:24];
    wire is_column = column >= "1" && column <= "9" || column >= "a" && column <= "e";
    wire is_row = row >= "1" && row <= "9" || row >= "a" && row <= "e";
    wire is_tile = letter >= "a" && letter <= "u";
    wire is_rotation = digit >= "0" && digit <= "7";
    wire [7:0] center_x = column >= "a" ? column - "a" + 9 : column - "1";
    wire [7:0] center_y = row >= "a" ? row - "a" + 9 : row - "1";
    wire [7:0] tile = letter - "a", rotation = digit - "0";

    // The tile's cells, turned, in a box of five by five, and how far the box begins before the centre.
    wire [24:0] code_cells, orientation_cells;
    wire [2:0] back_x, back_y;
    codes codes(.tile(tile[4:0]), .rotation(rotation[2:0]), .cells(code_cells), .back_x(back_x),
        .back_y(back_y), .orientation(orientation), .orientation_cells(orientation_cells));

    wire is_code = is_column && is_row && is_tile && is_rotation;
    always @* begin
        assert (pass == (code == {"0", "0", "0", "0"}));
        assert (valid == (is_code && center_x >= back_x && center_y >= back_y));
        if (valid) begin
            assert (x == center_x - back_x);
            assert (y == center_y - back_y);
            assert (orientation_cells == code_cells);
        end
    end
endmodule
