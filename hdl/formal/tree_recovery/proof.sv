// From every state of its registers and memories the tree is at rest when no new job is asked for: a count
// of what is left goes down with every clock. One clock from any state is all that has to be looked at,
// so next states are read at the registers' inputs. Memories and arithmetic take any value.
module proof(input wire clock, input wire clear, input wire add, input wire add_side, input wire entry,
    input wire [14:0] entry_placement, input wire [15:0] entry_prior, input wire [23:0] entry_mean,
    input wire select, input wire read, input wire single, input wire link, input wire learn,
    input wire [11:0] node, input wire [4:0] child, input wire [11:0] link_to, input wire [15:0] value,
    input wire settle, input wire [5:0] ply, input wire mark, input wire unmark,
    input wire [14:0] placement, input wire side);
    wire idle, ready;
    tree_511 dut(.clock, .clear, .add, .add_side, .entry, .entry_placement, .entry_prior, .entry_mean,
        .select, .read, .single, .link, .learn, .node, .child, .link_to, .value, .settle, .ply, .mark,
        .unmark, .placement, .side, .idle, .ready);

    (* hierconn *) wire \dut.busy$d , \dut.busy$q , \dut.streaming$d , \dut.streaming$q ;
    (* hierconn *) wire \dut.linking$d , \dut.linking$q , \dut.late_linking$d , \dut.late_linking$q ;
    (* hierconn *) wire [3:0] \dut.pair$d , \dut.pair$q ;
    (* hierconn *) wire \dut.stages.alive$0$d , \dut.stages.alive$0$q ;
    (* hierconn *) wire \dut.stages.alive$1$d , \dut.stages.alive$1$q ;
    (* hierconn *) wire \dut.stages.alive$2$d , \dut.stages.alive$2$q ;
    (* hierconn *) wire \dut.stages.alive$3$d , \dut.stages.alive$3$q ;
    (* hierconn *) wire \dut.stages.alive$4$d , \dut.stages.alive$4$q ;
    (* hierconn *) wire \dut.stages.alive$5$d , \dut.stages.alive$5$q ;
    (* hierconn *) wire \dut.stages.alive$6$d , \dut.stages.alive$6$q ;
    (* hierconn *) wire \dut.stages.alive$7$d , \dut.stages.alive$7$q ;
    (* hierconn *) wire [12:0] \dut.marks.sweep$d , \dut.marks.sweep$q ;
    (* hierconn *) wire \dut.marks.ready$d , \dut.marks.ready$q ;

    // Stages that a pair has to pass.
    function automatic [3:0] stages(input [7:0] alive);
        integer i;
        begin
            stages = 0;
            for (i = 0; i < 8; i = i + 1) if (alive[7 - i]) stages = 1 + i;
        end
    endfunction
    // Pairs that are to be read, stages, clocks of a link, and one of the job itself.
    function automatic [4:0] pairs(input streaming, input [3:0] pair);
        pairs = streaming ? 16 - pair : 0;
    endfunction
    function automatic [1:0] links(input linking, input late);
        links = late ? 1 : linking ? 2 : 0;
    endfunction

    wire [4:0] pairs_now = pairs(\dut.streaming$q , \dut.pair$q );
    wire [4:0] pairs_next = pairs(\dut.streaming$d , \dut.pair$d );
    wire [3:0] stages_now = stages({\dut.stages.alive$7$q , \dut.stages.alive$6$q , \dut.stages.alive$5$q ,
        \dut.stages.alive$4$q , \dut.stages.alive$3$q , \dut.stages.alive$2$q , \dut.stages.alive$1$q ,
        \dut.stages.alive$0$q });
    wire [3:0] stages_next = stages({\dut.stages.alive$7$d , \dut.stages.alive$6$d , \dut.stages.alive$5$d ,
        \dut.stages.alive$4$d , \dut.stages.alive$3$d , \dut.stages.alive$2$d , \dut.stages.alive$1$d ,
        \dut.stages.alive$0$d });
    wire [11:0] now = {pairs_now, stages_now, links(\dut.linking$q , \dut.late_linking$q ), \dut.busy$q };
    wire [11:0] next = {pairs_next, stages_next, links(\dut.linking$d , \dut.late_linking$d ), \dut.busy$d };
    // Words of the marks that are to be emptied after power-up: 5,888 at most from there, 8,191 from a
    // place past the last one, which goes on through zero.
    wire [12:0] words_now = 13'd5888 - \dut.marks.sweep$q ;
    wire [12:0] words_next = 13'd5888 - \dut.marks.sweep$d ;

    always @(*) begin
        // A job has 15 pairs left after its first one; the last of them passes eight stages.
        if (select || learn || read || link) assert (pairs_next <= 15);
        else begin
            if (now == 0) assert (next == 0);
            else assert (next < now);
            // A stage is entered only while pairs are read.
            if (pairs_now == 0) assert (stages_now == 0 ? stages_next == 0 : stages_next < stages_now);
        end
        if (pairs_now != 0 && !select && !learn && !read) assert (pairs_next < pairs_now);
        if (words_now == 0) assert (words_next == 0 && \dut.marks.ready$d );
        else assert (words_next < words_now);
        // At rest is what the others wait for.
        if (now == 0 && \dut.marks.ready$q ) assert (idle);
        if (idle) assert (ready);
        if (ready && !idle) assert (pairs_now == 0);
    end
endmodule
