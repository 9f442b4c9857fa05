// From every state of its registers and memories the tree is at rest when no new job is asked for: a count
// of what is left goes down with every cycle. One cycle from any state is all that has to be checked,
// so next states are read at the registers' inputs. Memories and arithmetic take any value.
module proof(input wire clock, input wire clear, input wire add, input wire add_side, input wire entry,
    input wire [14:0] entry_placement, input wire [15:0] entry_prior, input wire [23:0] entry_mean,
    input wire select, input wire read, input wire single, input wire link, input wire update,
    input wire [13:0] node, input wire [4:0] child, input wire [13:0] link_to, input wire [15:0] value,
    input wire prove, input wire [5:0] ply, input wire amaf_enter, input wire amaf_remove,
    input wire [14:0] placement, input wire side, input wire limited, input wire transfer,
    input wire [9:0] transfer_line, input wire [7:0] transfer_index, input wire store,
    input wire [7:0] store_index, input wire [15:0] stored_word);
    wire idle, ready;
    tree_511 dut(.clock, .clear, .add, .add_side, .entry, .entry_placement, .entry_prior, .entry_mean,
        .select, .read, .single, .link, .update, .node, .child, .link_to, .value, .prove, .ply, .amaf_enter,
        .amaf_remove, .placement, .side, .limited, .transfer, .transfer_line, .transfer_index, .store, .store_index,
        .stored_word, .idle, .ready);

    (* hierconn *) wire \dut.busy$d , \dut.busy$q , \dut.streaming$d , \dut.streaming$q ;
    (* hierconn *) wire \dut.linking$d , \dut.linking$q , \dut.delayed_linking$d , \dut.delayed_linking$q ;
    (* hierconn *) wire [3:0] \dut.pair$d , \dut.pair$q ;
    (* hierconn *) wire \dut.pair_pipeline.stage_valid$0$d , \dut.pair_pipeline.stage_valid$0$q ;
    (* hierconn *) wire \dut.pair_pipeline.stage_valid$1$d , \dut.pair_pipeline.stage_valid$1$q ;
    (* hierconn *) wire \dut.pair_pipeline.stage_valid$2$d , \dut.pair_pipeline.stage_valid$2$q ;
    (* hierconn *) wire \dut.pair_pipeline.stage_valid$3$d , \dut.pair_pipeline.stage_valid$3$q ;
    (* hierconn *) wire \dut.pair_pipeline.stage_valid$4$d , \dut.pair_pipeline.stage_valid$4$q ;
    (* hierconn *) wire \dut.pair_pipeline.stage_valid$5$d , \dut.pair_pipeline.stage_valid$5$q ;
    (* hierconn *) wire \dut.pair_pipeline.stage_valid$6$d , \dut.pair_pipeline.stage_valid$6$q ;
    (* hierconn *) wire \dut.pair_pipeline.stage_valid$7$d , \dut.pair_pipeline.stage_valid$7$q ;
    (* hierconn *) wire [12:0] \dut.amaf_table.clear_address$d , \dut.amaf_table.clear_address$q ;
    (* hierconn *) wire \dut.amaf_table.clear_done$d , \dut.amaf_table.clear_done$q ;

    // Stages that a pair has to pass.
    function automatic [3:0] stages(input [7:0] alive);
        integer i;
        begin
            stages = 0;
            for (i = 0; i < 8; i = i + 1) if (alive[7 - i]) stages = 1 + i;
        end
    endfunction
    // Pairs that are to be read, stages, cycles of a link, and one of the job itself.
    function automatic [4:0] pairs(input streaming, input [3:0] pair);
        pairs = streaming ? 16 - pair : 0;
    endfunction
    function automatic [1:0] links(input linking, input delayed);
        links = delayed ? 1 : linking ? 2 : 0;
    endfunction

    wire [4:0] pairs_now = pairs(\dut.streaming$q , \dut.pair$q );
    wire [4:0] pairs_next = pairs(\dut.streaming$d , \dut.pair$d );
    wire [3:0] stages_now = stages({\dut.pair_pipeline.stage_valid$7$q , \dut.pair_pipeline.stage_valid$6$q , \dut.pair_pipeline.stage_valid$5$q ,
        \dut.pair_pipeline.stage_valid$4$q , \dut.pair_pipeline.stage_valid$3$q , \dut.pair_pipeline.stage_valid$2$q , \dut.pair_pipeline.stage_valid$1$q ,
        \dut.pair_pipeline.stage_valid$0$q });
    wire [3:0] stages_next = stages({\dut.pair_pipeline.stage_valid$7$d , \dut.pair_pipeline.stage_valid$6$d , \dut.pair_pipeline.stage_valid$5$d ,
        \dut.pair_pipeline.stage_valid$4$d , \dut.pair_pipeline.stage_valid$3$d , \dut.pair_pipeline.stage_valid$2$d , \dut.pair_pipeline.stage_valid$1$d ,
        \dut.pair_pipeline.stage_valid$0$d });
    wire [11:0] now = {pairs_now, stages_now, links(\dut.linking$q , \dut.delayed_linking$q ), \dut.busy$q };
    wire [11:0] next = {pairs_next, stages_next, links(\dut.linking$d , \dut.delayed_linking$d ), \dut.busy$d };
    // Words of the marks that are to be emptied after power-up: 5,888 at most from there, 8,191 from a
    // place past the last one, which continues through zero.
    wire [12:0] words_now = 13'd5888 - \dut.amaf_table.clear_address$q ;
    wire [12:0] words_next = 13'd5888 - \dut.amaf_table.clear_address$d ;

    always @(*) begin
        // A job has 15 pairs left after its first one; the last of them passes eight stages.
        if (select || update || read || link) assert (pairs_next <= 15);
        else begin
            if (now == 0) assert (next == 0);
            else assert (next < now);
            // A stage is entered only while pairs are read.
            if (pairs_now == 0) assert (stages_now == 0 ? stages_next == 0 : stages_next < stages_now);
        end
        if (pairs_now != 0 && !select && !update && !read) assert (pairs_next < pairs_now);
        if (words_now == 0) assert (words_next == 0 && \dut.amaf_table.clear_done$d );
        else assert (words_next < words_now);
        // At rest is what the others wait for.
        if (now == 0 && \dut.amaf_table.clear_done$q ) assert (idle);
        if (idle) assert (ready);
        if (ready && !idle) assert (pairs_now == 0);
    end
endmodule
