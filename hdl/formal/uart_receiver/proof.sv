// The receiver on a line that carries frames, broken frames and glitches in any order.
//
// The line is not drawn, it is recognised: `rx` is free, and what it does is assumed to be one of
// the following, beginning with any low level on an idle line.
// - A frame. Each edge between two bits lies anywhere within 3 % of its distance from the start edge,
//   which itself lies anywhere within a cycle. That covers every rate that is off by up to 3 % at
//   every phase, and every jitter within these bounds. The next start edge may come as soon as such
//   a rate allows.
// - The same with a low stop bit, after which the line stays low as long as it likes.
// - A glitch: low for less than half a bit, then high until the receiver has sampled the start bit.
module receiver #(parameter DIVISOR = 8) (
    input wire clock,
    input wire rx,
    input wire strobe,
    input wire [7:0] data,
    input wire framing,
    input wire busy,
    input wire sync_one,
    input wire sync_two,
    input wire [1:0] state,
    input wire [15:0] elapsed,
    input wire [3:0] index,
    input wire early,
    input wire middle,
    input wire [7:0] shift
);
    // When a bit is sampled, and when the verdict about a frame is there.
    localparam [15:0] MIDDLE = (DIVISOR - 1) / 2;
    localparam [15:0] EARLY = MIDDLE - DIVISOR / 8;
    localparam [15:0] LATE = MIDDLE + DIVISOR / 8;
    localparam [15:0] VERDICT = 9 * DIVISOR + LATE;

    // The first and the last cycle that can show the edge before bit `k`.
    function automatic [15:0] first(input integer k);
        first = 97 * k * DIVISOR / 100;
    endfunction
    function automatic [15:0] latest(input integer k);
        latest = (103 * k * DIVISOR + 99) / 100;
    endfunction
    localparam [15:0] END = 97 * 10 * DIVISOR / 100;

    // The line as the receiver sees it behind its synchroniser.
    reg level_one = 1, level = 1;
    always @(posedge clock) begin
        level_one <= rx;
        level <= level_one;
    end

    // What is on the line, chosen when it begins.
    (* anyseq *) reg [7:0] next_byte;
    (* anyseq *) reg next_stop;
    (* anyseq *) reg next_glitch;
    (* anyseq *) reg [15:0] next_length;
    (* anyseq *) reg [143:0] next_edges;
    reg inside = 0;
    reg [15:0] now = 0;
    reg [7:0] sent = 0;
    reg stop = 0;
    reg glitch = 0;
    reg [15:0] length = 1;
    reg [143:0] edges = 0;

    integer k;
    reg possible;
    always @(*) begin
        possible = next_length >= 1 && next_length <= MIDDLE;
        for (k = 1; k < 10; k = k + 1)
            possible = possible && next_edges[16 * (k - 1) +: 16] >= first(k)
                && next_edges[16 * (k - 1) +: 16] <= latest(k);
        assume (possible);
    end

    // The level at a cycle of a frame or glitch.
    function automatic at(input [15:0] moment);
        integer b;
        begin
            if (glitch) at = moment >= length;
            else begin
                at = 0;
                for (b = 1; b < 10; b = b + 1)
                    if (moment >= edges[16 * (b - 1) +: 16]) at = b == 9 ? stop : sent[b - 1];
            end
        end
    endfunction
    wire settled = now >= (glitch ? LATE + 16'd1 : END);
    wire over = settled && (glitch || stop || level);
    wire begins = (!inside || settled && (glitch || stop)) && !level;
    always @(*) if (inside && !settled) assume (level == at(now));

    always @(posedge clock) begin
        if (begins) begin
            inside <= 1;
            now <= 1;
            sent <= next_byte;
            stop <= next_stop;
            glitch <= next_glitch;
            length <= next_length;
            edges <= next_edges;
        end else if (inside) begin
            if (over) inside <= 0;
            if (!settled) now <= now + 1;
        end
    end

`ifdef AT_ONCE
    // The first frame or glitch begins as soon as the synchroniser can show it.
    reg [1:0] age = 0;
    always @(posedge clock) if (age != 3) age <= age + 1;
    always @(*) if (age == 2) assume (begins);
`endif
`ifdef BREAK
    // It is a break.
    always @(*) if (age == 2) assume (!next_glitch && !next_stop && next_byte == 0);
`endif

    // What has to come out, and when.
    reg byte_due = 0, framing_due = 0;
    reg [7:0] due = 0;
    wire verdict = inside && !glitch && now == VERDICT;
    always @(posedge clock) begin
        byte_due <= verdict && stop;
        framing_due <= verdict && !stop;
        due <= sent;
    end
    always @(*) begin
        assert (strobe == byte_due);
        if (byte_due) assert (data == due);
        assert (framing == framing_due);
        assert (busy == (inside && (now <= (glitch ? LATE : VERDICT) || !glitch && !stop)));
    end

`ifdef INVARIANT
    // What holds in every state that can be reached, so that one cycle proves the next.
    wire [15:0] bit_begins = now - elapsed;
    wire [3:0] bits_in = index == 0 ? 0 : index == 9 ? 8 : index - 1 + (elapsed > LATE);
    reg edges_possible;
    always @(*) begin
        edges_possible = length >= 1 && length <= MIDDLE;
        for (k = 1; k < 10; k = k + 1)
            edges_possible = edges_possible && edges[16 * (k - 1) +: 16] >= first(k)
                && edges[16 * (k - 1) +: 16] <= latest(k);
    end
    always @(*) begin
        assert (sync_one == !level_one && sync_two == !level);
        if (inside) begin
            assert (edges_possible);
            assert (now >= 1 && now <= END);
            if (now <= (glitch ? LATE : VERDICT)) begin
                assert (state == 1);
                assert (elapsed < DIVISOR && index < 10);
                assert (now == index * DIVISOR + elapsed);
                if (elapsed > EARLY) assert (early == !at(bit_begins + EARLY));
                if (elapsed > MIDDLE) assert (middle == !at(bit_begins + MIDDLE));
                if (!glitch) assert (shift >> (8 - bits_in) == (sent & ((1 << bits_in) - 1)));
            end else begin
                assert (state == (glitch || stop ? 0 : 2));
            end
        end else begin
            assert (state == 0);
        end
    end
`endif
endmodule

module proof(input wire clock, input wire rx);
    wire strobe, framing, busy;
    wire [7:0] data;
    (* hierconn *) wire \dut.sync_one$q , \dut.sync_two$q , \dut.early_vote$q , \dut.middle_vote$q ;
    (* hierconn *) wire [1:0] \dut.state$q ;
    (* hierconn *) wire [15:0] \dut.elapsed$q ;
    (* hierconn *) wire [3:0] \dut.index$q ;
    (* hierconn *) wire [7:0] \dut.shift$q ;
    `BLOCK dut(.clock, .rx, .strobe, .data, .framing, .busy);
    receiver #(.DIVISOR(`DIVISOR)) check(.clock, .rx, .strobe, .data, .framing, .busy,
        .sync_one(\dut.sync_one$q ), .sync_two(\dut.sync_two$q ), .state(\dut.state$q ),
        .elapsed(\dut.elapsed$q ), .index(\dut.index$q ), .early(\dut.early_vote$q ),
        .middle(\dut.middle_vote$q ), .shift(\dut.shift$q ));
endmodule
