// After a result went up the tree no entry is left: the backup takes the mark of each of the list's words back
// that it made, and the table then holds nothing under its placement. One word of the list and one
// placement are any, and stand for all.
//
// The list has the lane's words and stays as it is meanwhile; the tree reports that it is ready whenever it is.
// The result is ready at any time.
module proof(input wire clock, input wire start, input wire ready, input wire [15:0] result,
    input wire result_ready, input wire [51:0] word, input wire [14:0] look_0, input wire [14:0] look_1);
    (* anyconst *) reg [5:0] number;
    (* anyconst *) reg [14:0] placement;
    // The list's word of that number holds that placement.
    (* anyconst *) reg has;
    (* anyconst *) reg [5:0] count;

    wire busy, enter, remove, step;
    wire [5:0] index, ply;
    backup backup(.clock, .start, .busy, .result, .result_ready, .count, .index, .word, .tree_ready(ready), .amaf_enter(enter), .amaf_remove(remove), .ply, .update(step));
    // Both reach the table through the tree unchanged.
    amaf_table amaf_table(.clock, .enter, .remove, .placement(word[14:0]), .side(word[15]), .ply,
        .lookup$0(look_0), .lookup$1(look_1));

    (* hierconn *) wire [2:0] \backup.state$q ;
    (* hierconn *) wire [5:0] \backup.next_index$q , \backup.word_index$q , \backup.path_length$q ;
    (* hierconn *) wire \backup.word_valid$q ;
    (* hierconn *) wire \amaf_table.request$q , \amaf_table.writing$q , \amaf_table.clearing ;
    (* hierconn *) wire [14:0] \amaf_table.request_placement$q , \amaf_table.write_placement$q ;
    (* hierconn *) wire [6:0] \amaf_table.request_entry$q , \amaf_table.write_entry$q ;
    (* hierconn *) wire [12:0] \amaf_table.clear_address$q ;
    (* hierconn *) wire \amaf_table.quarters$0$write , \amaf_table.quarters$1$write ;
    (* hierconn *) wire \amaf_table.quarters$2$write , \amaf_table.quarters$3$write ;
    (* hierconn *) wire [12:0] \amaf_table.quarters$0$address ;
    (* hierconn *) wire [6:0] \amaf_table.quarters$0$word ;

    // What the table holds under the placement: where an orientation does not exist there is no word.
    wire [3:0] writes = {\amaf_table.quarters$3$write , \amaf_table.quarters$2$write , \amaf_table.quarters$1$write ,
        \amaf_table.quarters$0$write };
    wire [12:0] place = {placement[6:2], placement[14:7]};
    wire written = writes[placement[1:0]] && \amaf_table.quarters$0$address == place;
    reg [6:0] held;
    reg known;
    // Entries and removals of the word of that number in this backup.
    reg entered = 0, removed = 0, other = 0;
    always @(posedge clock) begin
        if (written) begin
            held <= \amaf_table.quarters$0$word ;
            known <= 1;
        end
        if (!busy) begin
            entered <= 0;
            removed <= 0;
        end else begin
            if (enter && ply == number) entered <= 1;
            if (remove && ply == number) removed <= 1;
        end
    end
    localparam IDLE = 0, ENTER = 1, READ = 2, UPDATE = 3, REMOVE = 4;
    wire [2:0] state = \backup.state$q ;
    wire [5:0] at = \backup.next_index$q ;
    wire valid = \backup.word_valid$q ;
    wire cleared = !\amaf_table.clearing ;
    // What the table will hold when what is on its way has been written.
    wire [6:0] soon = \amaf_table.request$q && \amaf_table.request_placement$q == placement ? \amaf_table.request_entry$q
        : \amaf_table.writing$q && \amaf_table.write_placement$q == placement ? \amaf_table.write_entry$q : held;

    always @(*) begin
        // It begins at power-up, or, to save a counterexample the time, with an empty table.
        if ($initstate) assume (known ? \amaf_table.clear_address$q == 5888 && held == 0 : \amaf_table.clear_address$q == 0);
        assume (count >= 1 && placement[6:0] <= 90);
        // The list's words: that number's is of that placement, and no other one is.
        if (enter || remove) assume ((word[14:0] == placement) == (has && ply == number));
        assume (!has || number < count);
        // Nothing is learned before the table is empty for the first time.
        if (start) assume (cleared);

        // The backup marks each word once and takes each mark back once, in the list's order.
        assert (state <= REMOVE && busy == (state != IDLE));
        if (enter || remove) assert (ply < count && !(enter && remove));
        if (enter) assert (!entered || ply != number);
        if (remove) assert (ply != number || entered && !removed);
        if (state == IDLE && valid) assert (0);
        if (state == ENTER || state == REMOVE) assert (at <= count && (!valid || at > 0 && \backup.word_index$q == at - 6'd1));
        if (state == ENTER) assert (entered == (7'd0 + number + valid < at) && !removed);
        if (state == READ || state == UPDATE) assert (entered == (number < count) && !removed && !valid);
        if (state == REMOVE) assert (entered == (number < count) && removed == (7'd0 + number + valid < at));

        // The table: empty where nothing is marked, and all of it whenever the backup is done.
        if (state != IDLE) assert (cleared);
        assert (\amaf_table.clear_address$q <= 5888);
        if (!cleared) assert (!\amaf_table.request$q && !\amaf_table.writing$q );
        if (\amaf_table.clear_address$q > place) assert (known);
        if (cleared && !(has && entered && !removed)) assert (soon == 0);
        if (!cleared && known && \amaf_table.clear_address$q > place) assert (held == 0);
        if (cleared && state == IDLE) assert (soon == 0);
    end
endmodule
