// After a result went up the tree no mark is left: the ascent takes the mark of each of the list's words back
// that it made, and the table then holds nothing under its placement. One word of the list and one
// placement are any, and stand for all.
//
// The list has the lane's words and stays as it is meanwhile; the tree says that it is ready whenever it is.
module proof(input wire clock, input wire learn, input wire ready, input wire [15:0] result,
    input wire [51:0] word, input wire [14:0] look_0, input wire [14:0] look_1);
    (* anyconst *) reg [5:0] number;
    (* anyconst *) reg [14:0] placement;
    // The list's word of that number holds that placement.
    (* anyconst *) reg has;
    (* anyconst *) reg [5:0] count;

    wire busy, mark, unmark, step;
    wire [5:0] index, ply;
    ascent ascent(.clock, .learn, .busy, .result, .count, .index, .word, .ready, .mark, .unmark, .ply, .step);
    // Both reach the table through the tree unchanged.
    marks marks(.clock, .mark, .unmark, .placement(word[14:0]), .side(word[15]), .ply,
        .look$0(look_0), .look$1(look_1));

    (* hierconn *) wire [2:0] \ascent.state$q ;
    (* hierconn *) wire [5:0] \ascent.at$q , \ascent.read$q , \ascent.length$q ;
    (* hierconn *) wire \ascent.valid$q ;
    (* hierconn *) wire \marks.asked$q , \marks.writing$q , \marks.sweeping ;
    (* hierconn *) wire [14:0] \marks.asked_place$q , \marks.place$q ;
    (* hierconn *) wire [6:0] \marks.asked_word$q , \marks.word$q ;
    (* hierconn *) wire [12:0] \marks.sweep$q ;
    (* hierconn *) wire \marks.quarters$0$write , \marks.quarters$1$write ;
    (* hierconn *) wire \marks.quarters$2$write , \marks.quarters$3$write ;
    (* hierconn *) wire [12:0] \marks.quarters$0$address ;
    (* hierconn *) wire [6:0] \marks.quarters$0$word ;

    // What the table holds under the placement: where an orientation does not exist there is no word.
    wire [3:0] writes = {\marks.quarters$3$write , \marks.quarters$2$write , \marks.quarters$1$write ,
        \marks.quarters$0$write };
    wire [12:0] place = {placement[6:2], placement[14:7]};
    wire written = writes[placement[1:0]] && \marks.quarters$0$address == place;
    reg [6:0] held;
    reg known;
    // Marks and unmarks of the word of that number in this ascent.
    reg marked = 0, unmarked = 0, other = 0;
    always @(posedge clock) begin
        if (written) begin
            held <= \marks.quarters$0$word ;
            known <= 1;
        end
        if (!busy) begin
            marked <= 0;
            unmarked <= 0;
        end else begin
            if (mark && ply == number) marked <= 1;
            if (unmark && ply == number) unmarked <= 1;
        end
    end
    localparam IDLE = 0, MARK = 1, READ = 2, LEARN = 3, UNMARK = 4;
    wire [2:0] state = \ascent.state$q ;
    wire [5:0] at = \ascent.at$q ;
    wire valid = \ascent.valid$q ;
    wire swept = !\marks.sweeping ;
    // What the table will hold when what is on its way has been written.
    wire [6:0] soon = \marks.asked$q && \marks.asked_place$q == placement ? \marks.asked_word$q
        : \marks.writing$q && \marks.place$q == placement ? \marks.word$q : held;

    always @(*) begin
        // It begins at power-up, or, to save a counterexample the time, with an empty table.
        if ($initstate) assume (known ? \marks.sweep$q == 5888 && held == 0 : \marks.sweep$q == 0);
        assume (count >= 1 && placement[6:0] <= 90);
        // The list's words: that number's is of that placement, and no other one is.
        if (mark || unmark) assume ((word[14:0] == placement) == (has && ply == number));
        assume (!has || number < count);
        // Nothing is learned before the table is empty for the first time.
        if (learn) assume (swept);

        // The ascent marks each word once and takes each mark back once, in the list's order.
        assert (state <= UNMARK && busy == (state != IDLE));
        if (mark || unmark) assert (ply < count && !(mark && unmark));
        if (mark) assert (!marked || ply != number);
        if (unmark) assert (ply != number || marked && !unmarked);
        if (state == IDLE && valid) assert (0);
        if (state == MARK || state == UNMARK) assert (at <= count && (!valid || at > 0 && \ascent.read$q == at - 6'd1));
        if (state == MARK) assert (marked == (7'd0 + number + valid < at) && !unmarked);
        if (state == READ || state == LEARN) assert (marked == (number < count) && !unmarked && !valid);
        if (state == UNMARK) assert (marked == (number < count) && unmarked == (7'd0 + number + valid < at));

        // The table: empty where nothing is marked, and all of it whenever the ascent is done.
        if (state != IDLE) assert (swept);
        assert (\marks.sweep$q <= 5888);
        if (!swept) assert (!\marks.asked$q && !\marks.writing$q );
        if (\marks.sweep$q > place) assert (known);
        if (swept && !(has && marked && !unmarked)) assert (soon == 0);
        if (!swept && known && \marks.sweep$q > place) assert (held == 0);
        if (swept && state == IDLE) assert (soon == 0);
    end
endmodule
