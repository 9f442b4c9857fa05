// A selection counts one visit: of its node, and of one child that the node has. Its visits grow by one,
// nothing else is written, and what is reported of the child is what its word holds. No other job counts any.
//
// The node's word and one child's are kept; they stand for all, since node and child are any. What the
// arithmetic says of the children takes any value, so any of them may be the one that is taken.
module proof(input wire clock, input wire select_now, input wire update_now, input wire read_now,
    input wire [13:0] any_node, input wire [4:0] any_child, input wire [13:0] any_link,
    input wire [15:0] value, input wire prove, input wire [5:0] ply, input wire [14:0] placement,
    input wire side);
    (* anyconst *) reg [13:0] node;
    (* anyconst *) reg [4:0] child;
    (* anyconst *) reg [24:0] word;
    (* anyconst *) reg [17:0] visits;
    (* anyconst *) reg [13:0] next;
    // The job: a selection, or another one.
    (* anyconst *) reg [1:0] kind;

    reg [5:0] age = 0;
    wire starts = age == 0;
    wire [5:0] half = (word[6:1] + 1) >> 1;
    wire idle, selected;
    wire [4:0] selected_child;
    wire [17:0] selected_visits;
    wire [13:0] selected_next;
    wire [5:0] selected_of;
    tree_511 dut(.clock, .clear(1'b0), .add(1'b0), .add_side(1'b0), .entry(1'b0), .entry_placement(15'd0),
        .entry_prior(16'd0), .entry_mean(24'd0), .select(starts && kind == 0), .update(starts && kind == 1),
        .read(starts && kind == 2), .link(starts && kind == 3), .single(kind[1]),
        .node(starts ? node : any_node), .child(starts ? child : any_child), .link_to(any_link), .value,
        .prove, .ply, .amaf_enter(1'b0), .amaf_remove(1'b0), .placement, .side, .limited(1'b0), .transfer(1'b0),
        .transfer_line(10'd0), .transfer_index(8'd0), .store(1'b0), .store_index(8'd0), .stored_word(16'd0), .idle,
        .selected, .selected_child,
        .selected_visits, .selected_next_node(selected_next), .selected_children(selected_of));

    (* hierconn *) wire \dut.busy$q , \dut.streaming$q , \dut.linking$q , \dut.delayed_linking$q ;
    (* hierconn *) wire \dut.pair_pipeline.stage_valid$0$q , \dut.pair_pipeline.stage_valid$1$q , \dut.pair_pipeline.stage_valid$2$q ;
    (* hierconn *) wire \dut.pair_pipeline.stage_valid$3$q , \dut.pair_pipeline.stage_valid$4$q , \dut.pair_pipeline.stage_valid$5$q ;
    (* hierconn *) wire \dut.pair_pipeline.stage_valid$6$q , \dut.pair_pipeline.stage_valid$7$q , \dut.pair_pipeline.stage_valid$8$q ;
    (* hierconn *) wire \dut.amaf_table.clear_done$q ;
    (* hierconn *) wire [12:0] \dut.amaf_table.clear_address$q ;
    (* hierconn *) wire [9:0] \dut.nodes$address , \dut.nodes$write_address ;
    (* hierconn *) wire [9:0] \dut.node_tops$address , \dut.node_tops$write_address ;
    (* hierconn *) wire [15:0] \dut.nodes$data , \dut.nodes$word ;
    (* hierconn *) wire [8:0] \dut.node_tops$data , \dut.node_tops$word ;
    (* hierconn *) wire \dut.nodes$write , \dut.node_tops$write ;
    (* hierconn *) wire [13:0] \dut.address , \dut.write_address ;
    (* hierconn *) wire [15:0] \dut.banks$0.visited$data , \dut.banks$1.visited$data ;
    (* hierconn *) wire [15:0] \dut.banks$0.visited$word , \dut.banks$1.visited$word ;
    (* hierconn *) wire [15:0] \dut.banks$0.links$data , \dut.banks$1.links$data ;
    (* hierconn *) wire [15:0] \dut.banks$0.links$word , \dut.banks$1.links$word ;
    (* hierconn *) wire \dut.banks$0.visited$write , \dut.banks$1.visited$write ;
    (* hierconn *) wire \dut.banks$0.placed$write , \dut.banks$1.placed$write ;
    (* hierconn *) wire \dut.banks$0.links$write , \dut.banks$1.links$write ;

    reg [9:0] last_node;
    reg [13:0] last_address;
    always @(posedge clock) begin
        last_node <= \dut.nodes$address ;
        last_address <= \dut.address ;
        if (age != 63) age <= age + 1;
    end
    wire [1:0] counts = {\dut.banks$1.visited$write , \dut.banks$0.visited$write };
    wire counting = selected && kind == 0;

    always @(*) begin
        // A job begins at rest.
        if ($initstate) begin
            assume (!\dut.busy$q && !\dut.streaming$q && !\dut.linking$q && !\dut.delayed_linking$q );
            assume (!\dut.pair_pipeline.stage_valid$0$q && !\dut.pair_pipeline.stage_valid$1$q && !\dut.pair_pipeline.stage_valid$2$q );
            assume (!\dut.pair_pipeline.stage_valid$3$q && !\dut.pair_pipeline.stage_valid$4$q && !\dut.pair_pipeline.stage_valid$5$q );
            assume (!\dut.pair_pipeline.stage_valid$6$q && !\dut.pair_pipeline.stage_valid$7$q && !\dut.pair_pipeline.stage_valid$8$q );
            assume (\dut.amaf_table.clear_done$q && \dut.amaf_table.clear_address$q == 5888);
        end
        assume (word[6:1] >= 1 && word[6:1] <= 32 && child < word[6:1]);
        // The memories hold what they hold.
        if (!$initstate && last_node == node[9:0]) assume ({\dut.node_tops$data , \dut.nodes$data } == word);
        if (!$initstate && last_address == {node[9:0], child[4:1]})
            assume ((child[0] ? {\dut.banks$1.links$data , \dut.banks$1.visited$data }
                : {\dut.banks$0.links$data , \dut.banks$0.visited$data }) == {visits[17:16], next, visits[15:0]});

        if (age > 0) begin
            // A selection is done with cycle `half` + 8, a reading with cycle 9, and other jobs report nothing.
            assert (selected == (kind == 0 ? age == half + 8 : kind == 2 && age == 9));
            if (kind == 0) assert (idle == (age > half + 8));
            if (kind == 1) assert (idle == (age > half + 8));
            if (kind == 2) assert (idle == (age > 9));
            if (kind == 3) assert (idle == (age > 2));
            // One child's visits, and its node's.
            assert ((counts != 0) == counting && counts != 3 && \dut.nodes$write == counting
                && \dut.node_tops$write == counting);
            if (counting) begin
                assert (counts == (selected_child[0] ? 2 : 1) && \dut.write_address == {node[9:0], selected_child[4:1]});
                assert (selected_child < word[6:1] && selected_of == word[6:1]);
                assert (\dut.nodes$write_address == node[9:0] && \dut.node_tops$write_address == node[9:0]);
                assert ({\dut.node_tops$word , \dut.nodes$word } == {word[24:7] + 18'd1, word[6:0]});
                assert ((counts[1] ? {\dut.banks$1.links$word , \dut.banks$1.visited$word }
                    : {\dut.banks$0.links$word , \dut.banks$0.visited$word })
                    == {selected_visits[17:16], selected_next, selected_visits[15:0]});
                if (selected_child == child) assert (selected_visits == visits + 18'd1 && selected_next == next);
            end
            if (kind == 2 && selected) assert (selected_child == child && selected_visits == visits);
            // Links change by a link only, and placements by none of these.
            assert (!\dut.banks$0.placed$write && !\dut.banks$1.placed$write );
            assert ((\dut.banks$0.links$write || \dut.banks$1.links$write ) == (counting || kind == 3 && age == 2));
            if (counting) assert ({\dut.banks$1.links$write , \dut.banks$0.links$write } == counts);
            if (kind == 3 && age == 2)
                assert (\dut.write_address == {node[9:0], child[4:1]} && \dut.banks$1.links$write == child[0]
                    && \dut.banks$0.links$write == !child[0]);
        end
    end
endmodule
