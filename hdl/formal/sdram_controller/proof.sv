// The controller keeps the chip's rules, and transfers each line as it was requested.
//
// Commands are those that the controller issues; the pins show each one clock later, so their distances are
// the same. The times are those of the data sheets at 50 MHz, the slowest chip's, in clocks: 45 ns are
// three. Counts of clocks end at 15, which is more than any of these times.
//
// The power-up sequence begins after the hold, which lasts for any time from power-up and does not come again;
// without the invariant there is none.
module proof(input wire clock, input wire hold, input wire request, input wire write, input wire [15:0] line,
    input wire [15:0] word, input wire [15:0] data_in);
    localparam RCD = 2, RAS = 3, RC = 4, RP = 2, WR = 2, RFC = 4, MRD = 2;
    // Cycles from a request to the next one, without a refresh.
    localparam LINE = RCD + `WORDS - 1 + WR + RP;
    wire ready, idle, take, store, cke, cs_n, ras_n, cas_n, we_n, mask, drive;
    wire [7:0] index, store_index;
    wire [15:0] stored_word, data_out;
    wire [1:0] bank;
    wire [12:0] address;
    `BLOCK dut(.clock, .hold(held), .request, .write, .line, .ready, .idle, .index, .word, .take, .store, .store_index,
        .stored_word, .cke, .cs_n, .ras_n, .cas_n, .we_n, .bank, .address, .mask, .data_out, .drive, .data_in);

    (* hierconn *) wire [3:0] \dut.command$d , \dut.command$q , \dut.left$q ;
    (* hierconn *) wire [12:0] \dut.address_pins$d , \dut.address_pins$q ;
    (* hierconn *) wire [1:0] \dut.bank_pins$d , \dut.bank_pins$q ;
    (* hierconn *) wire \dut.driving$d , \dut.driving$q , \dut.writing$q , \dut.half$q , \dut.enabled$q ;
    (* hierconn *) wire [15:0] \dut.data_pins$d , \dut.data_pins$q , \dut.elapsed$q , \dut.captured$q ;
    (* hierconn *) wire [2:0] \dut.state$q , \dut.refreshes$q ;
    (* hierconn *) wire [7:0] \dut.next_word$q , \dut.reads$q , \dut.stored$q ;
    (* hierconn *) wire \dut.started$q ;
    wire [2:0] state = \dut.state$q ;
    wire [3:0] command = \dut.command$d ;
    wire [8:0] left = \dut.left$q , next_word = \dut.next_word$q ;
    wire [12:0] pins = \dut.address_pins$d ;
    wire [15:0] elapsed = \dut.elapsed$q ;
    localparam POWER_UP = 0, FIRST = 1, MODE = 2, IDLE = 3, TRANSFER = 4, CLOSE = 5;

    // Commands by the chip's table: select, row, column and write, inverted.
    wire opens = command == 4'b1100, reads = command == 4'b1010, writes = command == 4'b1011;
    wire closes = command == 4'b1101, refreshes = command == 4'b1110, sets = command == 4'b1111;

    // Clocks since the last command of each kind.
    reg [3:0] open = 15, close = 15, written = 15, refresh = 15, set = 15;
    reg is_open = 0, closed_once = 0, mode_set = 0;
    reg [3:0] first = 0;
    reg [15:0] gap = 0, powered = 0;
    reg [7:0] history = 0;
    // The line in progress: from the clock after its request to its end.
    reg running = 0, writing = 0;
    reg [15:0] of = 0;
    reg [8:0] words = 0, age = 0;
    reg [7:0] to_store = 0;
    wire accepts = request && ready;
    reg released = 0;
`ifdef INVARIANT
    wire held = hold && !released;
`else
    wire held = 0;
`endif
    function automatic [3:0] more(input [3:0] count);
        more = count == 15 ? 15 : count + 1;
    endfunction
    always @(posedge clock) begin
        open <= opens ? 1 : more(open);
        close <= closes ? 1 : more(close);
        written <= writes ? 1 : more(written);
        refresh <= refreshes ? 1 : more(refresh);
        set <= sets ? 1 : more(set);
        is_open <= opens || is_open && !closes;
        closed_once <= closed_once || closes;
        mode_set <= mode_set || sets;
        if (refreshes && first < 8) first <= first + 1;
        gap <= refreshes ? 1 : gap + 1;
        released <= released || !hold;
        if (held) powered <= 0;
        else if (powered < `POWER_UP) powered <= powered + 1;
        history <= {history[6:0], reads};
        if (accepts) begin
            running <= 1;
            writing <= write;
            of <= line;
            words <= 0;
            age <= 1;
            to_store <= 0;
        end else begin
            if (running && idle) running <= 0;
            if (reads || writes) words <= words + 1;
            age <= age + 1;
            if (store) to_store <= to_store + 1;
        end
    end

    always @(*) begin
        // The power-up sequence.
        if (command != 0) assert (powered == `POWER_UP);
        if (command != 0 && !closes) assert (closed_once);
        if (sets) assert (first == 8 && pins == 13'h020 && \dut.bank_pins$d == 0);
        if (opens || reads || writes) assert (mode_set);
        // The chip's times.
        if (opens || refreshes || sets) assert (!is_open && close >= RP && refresh >= RFC && set >= MRD);
        if (opens) assert (open >= RC);
        if (reads || writes) assert (is_open && open >= RCD);
        if (closes) assert (pins[10] && refresh >= RFC && set >= MRD);
        if (closes && is_open) assert (open >= RAS && written >= WR);
        assert (command == 0 || command[3] && (opens || reads || writes || closes || refreshes || sets));
        // Refreshes.
        if (mode_set) assert (gap <= `INTERVAL);
        // The data pins: the chip drives them two clocks after a read, and needs one more.
        assert (\dut.driving$d == writes);
        if (writes) assert (history[3:0] == 0);
        // The pins.
        assert ({cs_n, ras_n, cas_n, we_n} == ~\dut.command$q && cke == \dut.started$q );
        assert (address == \dut.address_pins$q && bank == \dut.bank_pins$q );
        assert (data_out == \dut.data_pins$q && drive == \dut.driving$q );
        assert (mask == !\dut.enabled$q && \dut.enabled$q == mode_set);

        // Lines: row and bank, then each word once and in order, then the end.
        assert (!ready || idle);
        if (opens) assert (accepts && pins == line[13:1] && \dut.bank_pins$d == line[15:14]);
        if (accepts) assert (opens);
        if (reads || writes) begin
            assert (running && writes == writing && words < `WORDS);
            assert (pins == {4'b0, of[0], words[7:0]} && \dut.bank_pins$d == of[15:14]);
        end
        if (closes && mode_set) assert (words == `WORDS);
        assert (take == writes);
        if (writes) assert (\dut.data_pins$d == word);
        assert (store == history[3]);
        if (store) assert (running && store_index == to_store && stored_word == \dut.captured$q );
        // The word that is written is the one that was asked for a clock before.
        if (running && idle && !writing) assert (to_store + store == `WORDS);
        if (running && idle) assert (words == `WORDS && age <= LINE);
        if (running) assert (age <= LINE);

`ifdef INVARIANT
        assert (state <= CLOSE);
        if (!released) assert (state == POWER_UP && elapsed == 0 && command == 0);
        assert (powered == `POWER_UP || powered == elapsed && state == POWER_UP);
        assert (mode_set == (state >= IDLE));
        if (state == POWER_UP) assert (!closed_once && first == 0 && command == 0 || elapsed == `POWER_UP);
        if (state == POWER_UP) assert (first == 0 && !is_open && close == 15 && open == 15 && refresh == 15);
        if (state != POWER_UP) assert (closed_once && powered == `POWER_UP);
        if (state == FIRST) assert (first == \dut.refreshes$q );
        if (state < IDLE) assert (set == 15 && open == 15);
        if (state >= MODE) assert (first == 8 && gap == elapsed + 1);
        if (state == MODE) assert (gap + left <= RFC);
        if (state < TRANSFER) assert (!is_open && close + left >= (close == 15 ? 0 : RP));
        if (state >= TRANSFER) assert (is_open && running && words == next_word);
        assert (refresh == 15 || refresh + left >= RFC || state >= TRANSFER && refresh >= RFC);
        assert (set == 15 || set + left >= MRD || state >= TRANSFER && set >= MRD);
        assert (\dut.reads$q == history);
        if (state < IDLE) assert (history == 0 && written == 15 && !running);
        if (state == IDLE) assert (open >= RC && gap + left <= `INTERVAL && !history[0]);
        if (state == IDLE || running && !writing) assert (written >= WR);
        if (state == TRANSFER) begin
            assert (next_word < `WORDS && age + left == RCD + next_word);
            assert (open == (age > 15 ? 15 : age) && gap + LINE <= `INTERVAL + age && !(left && next_word));
        end
        if (state == CLOSE) begin
            assert (next_word == `WORDS && open == (age > 15 ? 15 : age) && gap + LINE <= `INTERVAL + age);
            if (writing) assert (written + left == WR && age + left == RCD + `WORDS - 1 + WR && left < 2);
            else assert (left == 0 && age == RCD + `WORDS && history[0]);
        end
        if (state == IDLE && running) begin
            assert (words == `WORDS);
            if (writing) assert (age == RCD + `WORDS + WR);
            else assert (history[3:1] != 0 && age == RCD + `WORDS + (history[1] ? 1 : history[2] ? 2 : 3));
        end
        if (running) assert (writing == \dut.writing$q && of[0] == \dut.half$q && \dut.bank_pins$q == of[15:14]);
        if (running) assert (to_store == \dut.stored$q );
        if (running && writing) assert (history[2:0] == 0);
        if (running) begin
            if (!writing) assert (to_store + history[0] + history[1] + history[2] + history[3] == words);
            if (writing) assert ((history & ~(8'hf8 << age)) == 0);
            else if (state != IDLE) assert (history[3:0] == {age > RCD + 3, age > RCD + 2, age > RCD + 1, age > RCD});
            else assert (history[3:0] == (age == RCD + `WORDS + 1 ? 14 : age == RCD + `WORDS + 2 ? 12 : 8));
        end else assert (history[3:0] == 0);
`endif
    end
endmodule
