// A host on one serial line of a top, which is named by macros: see tops.rs.

`timescale 1ns/1ps

module bench;
    // A bit at 115200 baud, in nanoseconds.
    localparam real BIT = 1e9 / 115200;

    reg clock = 0, rx = 1;
    reg button = `RELEASED;
    wire tx;
    wire [7:0] lights;
    always #(`PERIOD / 2.0) clock = ~clock;

    `TOP

    task send(input [7:0] value);
        integer i;
        begin
            rx = 0;
            #(BIT);
            for (i = 0; i < 8; i = i + 1) begin
                rx = value[i];
                #(BIT);
            end
            rx = 1;
            #(BIT);
        end
    endtask

    // What the top sends, written down as it comes.
    reg [7:0] got;
    integer j;
    always @(negedge tx) begin
        #(BIT / 2);
        for (j = 0; j < 8; j = j + 1) begin
            #(BIT) got[j] = tx;
        end
        #(BIT);
        if (tx !== 1) $write("(no stop bit)");
        $write("%c", got);
    end

    initial begin
        #5000;
        send("0");
        #(BIT * 40);
        $write("\n");
        repeat (4) send("?");
        #(BIT * 90);
        $write("\n");
        $write("lights %b\n", lights ^ {8{~`LIT}});
        send("2");
        send("5");
        #(BIT * 60);
        $write("\n");
        $write("lights %b\n", lights ^ {8{~`LIT}});
        button = ~`RELEASED;
        #2000;
        button = `RELEASED;
        #2000;
        $write("lights %b\n", lights ^ {8{~`LIT}});
        $finish;
    end
endmodule
