// Minimal player of the contest in plain Verilog: answers the handshake, plays its smallest tile on
// its start cell, which is always legal, and then passes. Replace `answer` by a better player.
module minimal #(parameter CLOCK_HZ = 50_000_000, BAUD = 115_200, parameter [15:0] TEAM = "MP")
    (input clock, input reset, input rx, output tx);
    localparam [15:0] BIT = CLOCK_HZ / BAUD;  // cycles per bit
    localparam [15:0] HALF = BIT / 2;

    // Receiver, 8N1: `valid` is high for one cycle with each byte in `data`.
    reg [2:0] line;                        // synchroniser
    reg [15:0] rx_time;
    reg [3:0] rx_left;                     // bits left, the stop bit included
    reg [7:0] data;
    reg valid;
    always @(posedge clock or posedge reset)
        if (reset) {line, rx_time, rx_left, data, valid} <= {3'b111, 29'b0};
        else begin
            line <= {line[1:0], rx};
            valid <= rx_left == 1 && rx_time == 1 && line[2];
            if (rx_left == 0) begin
                if (!line[2]) {rx_left, rx_time} <= {4'd9, BIT + HALF};
            end else if (rx_time != 1) rx_time <= rx_time - 1;
            else begin
                {rx_left, rx_time} <= {rx_left - 4'd1, BIT};
                if (rx_left != 1) data <= {line[2], data[7:1]};
            end
        end

    // Parser: `need` bytes of the code `kind` are missing. 100 ms of silence drop a partial code.
    reg [7:0] kind, letter;
    reg [2:0] need;
    reg [31:0] silence;
    wire byte_in = valid && data > " ";    // CR, LF and space are ignored
    wire is_letter = kind == "2" || (kind == "3" && need == 5);
    wire [7:0] start = !is_letter ? letter : data == "A" ? "a" : "5";
    wire hello = byte_in && need == 0 && data == "0";
    wire prompt = byte_in && need == 1;
    wire [31:0] answer = kind == "4" ? "0000" : {start, start, "a0"};
    always @(posedge clock or posedge reset)
        if (reset) {kind, letter, need, silence} <= 0;
        else begin
            silence <= valid || rx_left != 0 ? 0 : silence + 1;
            if (silence == CLOCK_HZ / 10) need <= 0;
            if (byte_in && need == 0) begin
                kind <= data;
                need <= data == "2" ? 3'd1 : data == "3" ? 3'd5 : data == "4" ? 3'd4 : 3'd0;
            end else if (byte_in) {letter, need} <= {start, need - 3'd1};
        end

    // Transmitter: sends the bytes of `reply`, the highest first; the line is idle high.
    reg [31:0] reply;
    reg [2:0] bytes;
    reg [9:0] shift;
    reg [3:0] tx_left;
    reg [15:0] tx_time;
    assign tx = shift[0];
    always @(posedge clock or posedge reset)
        if (reset) {reply, bytes, shift, tx_left, tx_time} <= {35'b0, 10'h3ff, 20'b0};
        else begin
            if (tx_left != 0 && tx_time != 1) tx_time <= tx_time - 1;
            else if (tx_left > 1)
                {shift, tx_left, tx_time} <= {1'b1, shift[9:1], tx_left - 4'd1, BIT};
            else if (bytes != 0) begin
                {shift, tx_left, tx_time} <= {1'b1, reply[31:24], 1'b0, 4'd10, BIT};
                {reply, bytes} <= {reply[23:0], 8'h00, bytes - 3'd1};
            end else tx_left <= 0;
            if (hello) {reply, bytes} <= {"1", TEAM, 8'h00, 3'd3};
            if (prompt) {reply, bytes} <= {answer, 3'd4};
        end
endmodule
