// The parser against one written the obvious way: it keeps the bytes of the code that has begun, and
// with every byte asks a table whether the code continues, is complete, or is invalid.
module proof(
    input wire clock,
    input wire reset,
    input wire strobe,
    input wire [7:0] data,
    input wire framing,
    input wire receiving,
    input wire take
);
    wire waiting, start_is_a, garbage;
    wire [2:0] kind;
    wire [31:0] code;
    `BLOCK dut(.clock, .reset, .strobe, .data, .framing, .receiving, .waiting, .take, .kind,
        .start_is_a, .code, .garbage);

    // What the receiver is proved to do: while a byte comes it reports so, and a lost byte does not count.
    reg received = 0;
    always @(posedge clock) received <= receiving;
    always @(*) assume (!strobe || received && !framing);

    // The code that has begun.
    reg [2:0] count = 0;
    reg [7:0] first = 0;
    reg [7:0] start = 0;
    reg [31:0] letters = 0;
    reg game = 0;
    reg [31:0] silence = 0;

    function automatic [2:0] length(input [7:0] byte_, input in_game);
        case (byte_)
            "0", "9": length = 1;
            "2": length = 2;
            "?": length = in_game ? 0 : 4;
            "4": length = 5;
            "3": length = 6;
            default: length = 0;
        endcase
    endfunction
    wire is_byte = strobe && data != "\n" && data != 8'd13 && data != " ";
    wire is_start = count == 1 && (first == "2" || first == "3");
    wire goes_on = count != 0
        && (is_start ? data == "5" || data == "A" : first == "?" ? data == "?" : 1);
    wire [2:0] place = goes_on ? count : 0;
    wire [7:0] lead = goes_on ? first : data;
    wire [2:0] wanted = length(lead, game && !goes_on);
    wire complete = is_byte && wanted == place + 1;
    wire dropped = is_byte && (count != 0 && !goes_on || wanted == 0);
    wire [31:0] with_letter = {data, letters[31:8]};

    always @(posedge clock) begin
        silence <= count == 0 || strobe || silence == `TIMEOUT ? 0 : silence + !receiving;
        if (is_byte) begin
            count <= complete || wanted == 0 ? 0 : place + 1;
            first <= lead;
            if (goes_on && !is_start && first != "?") letters <= with_letter;
            if (goes_on && is_start) start <= data;
            if (complete && (lead == "2" || lead == "3")) game <= 1;
            if (lead == "0" && place == 0 || lead == "9" && place == 0) game <= 0;
        end
        if (silence == `TIMEOUT || framing || reset) count <= 0;
        if (reset) game <= 0;
    end

    // The code that waits: a newer one replaces it, taking it empties the place, and nothing else
    // touches it.
    reg full = 0;
    reg [7:0] waiting_first = 0;
    reg [7:0] waiting_start = 0;
    reg [31:0] waiting_letters = 0;
    always @(posedge clock) begin
        if (complete) begin
            full <= 1;
            waiting_first <= lead;
            waiting_start <= goes_on && is_start ? data : start;
            waiting_letters <= with_letter;
        end else if (take) full <= 0;
        if (reset) full <= 0;
    end
    wire [2:0] waiting_kind = waiting_first == "0" ? 0 : waiting_first == "2" ? 1
        : waiting_first == "3" ? 2 : waiting_first == "4" ? 3 : waiting_first == "9" ? 4 : 5;

    always @(*) begin
        assert (garbage == dropped);
        assert (waiting == full);
        if (full) begin
            assert (kind == waiting_kind);
            if (kind == 1 || kind == 2) assert (start_is_a == (waiting_start == "A"));
            if (kind == 2 || kind == 3) assert (code == waiting_letters);
        end
    end

    // A code that asks for the build comes only outside games.
    reg asked_in_game = 0;
    always @(posedge clock) if (complete && lead == "?") asked_in_game <= game;
    always @(*) assert (!asked_in_game);

`ifdef INVARIANT
    // What holds in every state that can be reached, so that one cycle proves the next.
    (* hierconn *) wire [1:0] \dut.state$q , \dut.letters_left$q ;
    (* hierconn *) wire \dut.in_game$q , \dut.is_second$q , \dut.partial_start_is_a$q ;
    (* hierconn *) wire [31:0] \dut.letters$q , \dut.silence$q ;
    always @(*) begin
        assert (count < 6 && (count == 0 || count < length(first, 0)));
        assert (\dut.silence$q == silence);
        assert (silence <= `TIMEOUT);
        if (received) assert (silence < `TIMEOUT);
        assert (\dut.in_game$q == game && \dut.letters$q == letters);
        if (count == 0) assert (\dut.state$q == 0);
        else if (is_start) assert (\dut.state$q == 1 && \dut.is_second$q == (first == "3"));
        else if (first == "?") assert (\dut.state$q == 3 && \dut.letters_left$q == 3 - count && !game);
        else begin
            assert (\dut.state$q == 2);
            assert (\dut.is_second$q == (first == "3"));
            assert (\dut.letters_left$q == (first == "3" ? 5 : 4) - count);
            if (first == "3") assert (\dut.partial_start_is_a$q == (start == "A"));
        end
        if (full && waiting_first != "0" && waiting_first != "9")
            assert (length(waiting_first, 0) > 1);
    end
`endif
endmodule
