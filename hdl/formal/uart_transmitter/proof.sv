// The transmitter against one written the obvious way: two nested counters, the bit and the cycle
// within the bit, over the ten levels of a frame. What is offered, and when, is free: a byte that is
// offered while another one is sent must change nothing.
module transmitter #(parameter DIVISOR = 8) (
    input wire clock,
    input wire strobe,
    input wire [7:0] data,
    input wire ready,
    input wire tx,
    input wire [9:0] frame,
    input wire [3:0] left,
    input wire [15:0] hold
);
    reg sending = 0;
    reg [9:0] levels = 0;
    reg [3:0] bit_index = 0;
    reg [15:0] elapsed = 0;
    wire last_clock = elapsed == DIVISOR - 1;
    always @(posedge clock) begin
        if (!sending) begin
            if (strobe) begin
                sending <= 1;
                levels <= {1'b1, data, 1'b0};
                bit_index <= 0;
                elapsed <= 0;
            end
        end else begin
            elapsed <= last_clock ? 0 : elapsed + 1;
            if (last_clock) begin
                bit_index <= bit_index + 1;
                if (bit_index == 9) sending <= 0;
            end
        end
    end

    always @(*) begin
        assert (tx == (sending ? levels[bit_index] : 1'b1));
        assert (ready == !sending);
    end

`ifdef INVARIANT
    // What holds in every state that can be reached, so that one cycle proves the next.
    always @(*) begin
        if (sending) begin
            assert (bit_index < 10 && elapsed < DIVISOR && levels[9] && !levels[0]);
            assert (left == 10 - bit_index);
            assert (hold == DIVISOR - 1 - elapsed);
            assert (frame == (~levels & 10'h3ff) >> bit_index);
        end else begin
            assert (left == 0);
            assert (frame == 0);
        end
    end
`endif
endmodule

module proof(input wire clock, input wire strobe, input wire [7:0] data);
    wire ready, tx;
    (* hierconn *) wire [9:0] \dut.frame$q ;
    (* hierconn *) wire [3:0] \dut.bits_left$q ;
    (* hierconn *) wire [15:0] \dut.cycles_left$q ;
    `BLOCK dut(.clock, .strobe, .data, .ready, .tx);
    transmitter #(.DIVISOR(`DIVISOR)) check(.clock, .strobe, .data, .ready, .tx,
        .frame(\dut.frame$q ), .left(\dut.bits_left$q ), .hold(\dut.cycles_left$q ));
endmodule
