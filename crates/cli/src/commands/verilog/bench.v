// Test bench of @TOP@: sends the handshake `0` and expects the team code. Generated; do not edit.
module @TOP@_tb;
    // Time units of half a clock cycle and of a bit. They are those of the clock frequency and of the
    // baud rate, whatever the design makes of them.
    localparam HALF = @BAUD@;
    localparam [63:0] BIT = 2 * 64'd@CLOCK_HZ@;

    reg clock = 0;
    reg reset = 1;
    reg rx = 1;
    wire tx;
    reg [7:0] byte_in;
    reg [23:0] reply;
    integer i, n;

    @TOP@ dut(.clock(clock), .reset(reset), .rx(rx), .tx(tx));

    always #HALF clock = !clock;

    initial begin
        #(4 * BIT) reset = 0;
        #(4 * BIT) rx = 0;  // start bit of `0`, 8'h30
        for (i = 0; i < 8; i = i + 1) #BIT rx = (8'h30 >> i) & 1'b1;
        #BIT rx = 1;
    end

    initial begin
        reply = 0;
        #(6 * BIT);
        for (n = 0; n < 3; n = n + 1) begin
            @(negedge tx) #(BIT / 2);
            for (i = 0; i < 8; i = i + 1) #BIT byte_in[i] = tx;
            #BIT reply = {reply[15:0], byte_in};
        end
        if (reply === {8'h31, @FIRST@, @SECOND@}) $display("PASS: handshake");
        else $display("FAIL: handshake replied %h", reply);
        $finish;
    end

    initial begin
        #(200 * BIT) $display("FAIL: no reply");
        $finish;
    end
endmodule
