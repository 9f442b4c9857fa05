// The node cache loses no content of a node, and two lines never have the same node.
//
// Some node and its line stand for all. What is assumed of the memory of tags is what its source states: it
// has at an address what was written there last, one clock after the address, and anything if the word was
// written in that clock. The controller of the SDRAM may do anything: a transfer ends when it says so.
module proof(input wire clock, input wire clear, input wire request, input wire [15:0] node,
    input wire is_new, input wire write, input wire [15:0] word, input wire line_ready, input wire line_idle,
    input wire [7:0] line_index, input wire line_store, input wire [7:0] line_store_index);
    wire ready, present, store, line_request, line_write;
    wire [23:0] word_address, store_address;
    wire [15:0] line, line_word;
    `BLOCK dut(.clock, .clear, .request, .node, .is_new, .write, .ready, .present, .word_address, .word,
        .store, .store_address, .line_request, .line_write, .line, .line_word, .line_ready, .line_idle,
        .line_index, .line_store, .line_store_index);

    (* hierconn *) wire \dut.tags$write ;
    (* hierconn *) wire [15:0] \dut.tags$write_address , \dut.tags$address , \dut.requested$q , \dut.cleared$q ;
    (* hierconn *) wire [17:0] \dut.tags$word , \dut.tags$data ;
    (* hierconn *) wire [2:0] \dut.state$q ;
    (* hierconn *) wire \dut.transferring$q , \dut.requested_new$q , \dut.requested_write$q ;
    localparam CLEAR = 0, IDLE = 1, COMPARE = 2, WRITE_BACK = 3, FILL = 4;
    wire [2:0] state = \dut.state$q ;
    wire tag_write = \dut.tags$write ;
    wire [17:0] tag_word = \dut.tags$word ;

    // Some node, and the tag of its line.
    (* anyconst *) reg [15:0] some;
    (* anyconst *) reg [17:0] unknown;
    wire [`BITS-1:0] some_line = some[`BITS-1:0];
    reg [17:0] tag;
    always @* if ($initstate) assume (tag == unknown);
    reg read_tag = 0, read_any = 0, steady = 0;
    reg [17:0] last_data = 0;
    reg [15:0] read_address = 0;
    always @(posedge clock) begin
        if (tag_write && \dut.tags$write_address [`BITS-1:0] == some_line) tag <= tag_word;
        read_any <= !(tag_write && \dut.tags$write_address [`BITS-1:0] == \dut.tags$address [`BITS-1:0]);
        read_tag <= \dut.tags$address [`BITS-1:0] == some_line
            && !(tag_write && \dut.tags$write_address [`BITS-1:0] == some_line);
        read_address <= \dut.tags$address ;
        last_data <= \dut.tags$data ;
        steady <= read_any && \dut.tags$address == read_address && !tag_write;
    end
    // [hdl/src/memory/mod.rs: a memory has at an address what was written there last]
    always @* if (read_tag) assume (\dut.tags$data == tag);
    always @* if (steady) assume (\dut.tags$data == last_data);
    // So what is claimed below of the tags that are written holds for every tag that is read.
    always @* if (state >= COMPARE && read_any && \dut.tags$data [16])
        assume (\dut.tags$data [`BITS-1:0] == read_address[`BITS-1:0]);

    // What the environment knows: the request in progress, and what each place has of the node.
    reg asked = 0, asked_new = 0, asked_write = 0;
    reg [15:0] asked_node = 0;
    // The line has the node's newest content; the SDRAM has not.
    reg cached = 0, owed = 0;
    // A transfer of the controller, and its line.
    reg moving = 0, moving_write = 0;
    reg [15:0] moving_line = 0;
    // The node was read since the request.
    reg filled = 0;
    wire ends = moving && line_idle;
    // The SDRAM gets the node's newest content.
    wire back = ends && moving_write && moving_line == some;
    wire here = asked && asked_node[`BITS-1:0] == some_line;
    // A clearing counts once it is done; until then nothing is present.
    wire accepts = ready && request && !clear;
    always @(posedge clock) begin
        if (ready && clear) {cached, owed, asked} <= 0;
        if (accepts) begin
            asked <= 1;
            asked_node <= node;
            asked_new <= is_new;
            asked_write <= write;
            filled <= 0;
        end
        if (store && store_address[`BITS+7:8] == some_line) cached <= 0;
        if (present) begin
            asked <= 0;
            if (here) begin
                cached <= asked_node == some;
                if (asked_node == some) owed <= owed || asked_new || asked_write;
            end
        end
        if (line_request && line_ready) begin
            moving <= 1;
            moving_write <= line_write;
            moving_line <= line;
        end else if (ends) moving <= 0;
        if (back) owed <= 0;
        if (ends && !moving_write && moving_line == some) filled <= 1;
    end

    always @(*) begin
        // A line is replaced only once the SDRAM has its content.
        if (store && store_address[`BITS+7:8] == some_line) assert (!owed || asked_node == some && !cached);
        if (present && here && asked_node != some) assert (!owed || back);
        // A node is written to the SDRAM from its own line, while nothing is stored there.
        if (line_request && line_write && line == some) assert (cached && owed);
        if (moving && moving_write && moving_line == some)
            assert (cached && !store && word_address[`BITS+7:8] == some_line);
        // It is read to its own line, and only if the SDRAM has its content.
        if (line_request && !line_write && line == some) assert (!owed && !cached && asked_node == some);
        if (store) assert (store_address[23:8] == asked_node && moving && !moving_write
            || state == FILL && !moving);
        assert (word_address[7:0] == line_index && line_word == word);
        if (store) assert (store_address[7:0] == line_store_index);
        // A node that is present has its content: its line still has it, or it was read, or it is new.
        if (present && asked_node == some)
            assert (asked && (cached || asked_new || filled || ends && !moving_write && moving_line == some));
        if (present) assert (asked);
        if (ready) assert (!asked && !moving);
        // A new node is not read.
        if (line_request && !line_write) assert (!asked_new);
        // A tag is written only to the line of its node.
        if (tag_write && tag_word[16]) assert (tag_word[`BITS-1:0] == \dut.tags$write_address [`BITS-1:0]);
        if (tag_write && tag_word[16]) assert (present && tag_word[15:0] == asked_node);

`ifdef INVARIANT
        assert (state <= FILL);
        assert (asked == (state >= COMPARE));
        if (state >= COMPARE) begin
            assert (read_any && read_address == asked_node && \dut.requested$q == asked_node);
            assert (\dut.requested_new$q == asked_new && \dut.requested_write$q == asked_write);
            assert (read_tag == here);
        end
        assert (moving == \dut.transferring$q && (!moving || state >= WRITE_BACK));
        if (moving) assert (moving_write == (state == WRITE_BACK) && moving_line == line);
        // While lines are cleared, those below the count are clear.
        if (state == CLEAR && some_line < \dut.cleared$q ) assert (!tag[16]);
        if (state == CLEAR) assert (!cached && !owed && \dut.cleared$q < (1 << `BITS));
        if (state == IDLE || state == COMPARE || state == WRITE_BACK || state == FILL) begin
            if (tag[16]) assert (tag[`BITS-1:0] == some_line);
            if (state != FILL || !here) assert (cached == (tag[16] && tag[15:0] == some));
            if (owed) assert (cached && tag[17]);
            if (cached && tag[17]) assert (owed || state == FILL && here);
        end
        if (state == WRITE_BACK) assert (\dut.tags$data [17:16] == 2'b11 && \dut.tags$data [15:0] != asked_node);
        if (state == FILL && here) assert (!owed && !(tag[16] && tag[15:0] == asked_node) && !asked_new);
        if (state == FILL) assert (!asked_new);
`endif
    end
endmodule
