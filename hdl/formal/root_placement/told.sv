// What a reading reports of a child is its placement: the word that was written there last. A child that is
// entered is written with its placement at its own place, and nothing else writes placements.
//
// The node, the child and the word are any, and stand for all. A job begins at rest (tree_jobs). The memory has at
// an address what was written there last. The results of the arithmetic on the children take any value.
module told(input wire clock, input wire other_entry, input wire [14:0] new_placement,
    input wire [15:0] new_prior, input wire [23:0] new_mean, input wire [13:0] any_node, input wire [4:0] any_child,
    input wire [13:0] any_link, input wire [15:0] value, input wire prove, input wire [5:0] ply,
    input wire [14:0] placement, input wire side);
    (* anyconst *) reg [13:0] node;
    (* anyconst *) reg [4:0] child;
    (* anyconst *) reg [14:0] word;
    // The job: reading, an entry, or none.
    (* anyconst *) reg reading, entering;

    reg [5:0] age = 0;
    wire starts = age == 0;
    wire idle, selected;
    wire [4:0] selected_child;
    wire [14:0] selected_placement;
    wire entry = starts && entering && !reading;
    tree_511 dut(.clock, .clear(1'b0), .add(1'b0), .add_side(1'b0), .entry, .entry_placement(new_placement),
        .entry_prior(new_prior), .entry_mean(new_mean), .select(1'b0), .update(1'b0),
        .read(starts && reading), .link(1'b0), .single(reading),
        .node(starts ? node : any_node), .child(starts ? child : any_child), .link_to(any_link), .value,
        .prove, .ply, .amaf_enter(1'b0), .amaf_remove(1'b0), .placement, .side, .limited(1'b0), .transfer(1'b0),
        .transfer_line(10'd0), .transfer_index(8'd0), .store(1'b0), .store_index(8'd0), .stored_word(16'd0), .idle,
        .selected, .selected_child,
        .selected_placement);

    (* hierconn *) wire \dut.busy$q , \dut.streaming$q , \dut.linking$q , \dut.delayed_linking$q ;
    (* hierconn *) wire \dut.pair_pipeline.stage_valid$0$q , \dut.pair_pipeline.stage_valid$1$q , \dut.pair_pipeline.stage_valid$2$q ;
    (* hierconn *) wire \dut.pair_pipeline.stage_valid$3$q , \dut.pair_pipeline.stage_valid$4$q , \dut.pair_pipeline.stage_valid$5$q ;
    (* hierconn *) wire \dut.pair_pipeline.stage_valid$6$q , \dut.pair_pipeline.stage_valid$7$q , \dut.pair_pipeline.stage_valid$8$q ;
    (* hierconn *) wire \dut.amaf_table.clear_done$q ;
    (* hierconn *) wire [12:0] \dut.amaf_table.clear_address$q ;
    (* hierconn *) wire [13:0] \dut.address ;
    (* hierconn *) wire [15:0] \dut.banks$0.placed$data , \dut.banks$1.placed$data ;
    (* hierconn *) wire [15:0] \dut.banks$0.placed$word , \dut.banks$1.placed$word ;
    (* hierconn *) wire [13:0] \dut.banks$0.placed$write_address , \dut.banks$1.placed$write_address ;
    (* hierconn *) wire \dut.banks$0.placed$write , \dut.banks$1.placed$write ;
    (* hierconn *) wire [13:0] \dut.node_allocator.open_node$q ;
    (* hierconn *) wire [5:0] \dut.node_allocator.child_count$q ;
    reg [13:0] last_address;
    always @(posedge clock) begin
        last_address <= \dut.address ;
        if (age != 63) age <= age + 1;
    end
    wire odd = \dut.node_allocator.child_count$q [0];

    always @(*) begin
        // A job begins at rest.
        if ($initstate) begin
            assume (!\dut.busy$q && !\dut.streaming$q && !\dut.linking$q && !\dut.delayed_linking$q );
            assume (!\dut.pair_pipeline.stage_valid$0$q && !\dut.pair_pipeline.stage_valid$1$q && !\dut.pair_pipeline.stage_valid$2$q );
            assume (!\dut.pair_pipeline.stage_valid$3$q && !\dut.pair_pipeline.stage_valid$4$q && !\dut.pair_pipeline.stage_valid$5$q );
            assume (!\dut.pair_pipeline.stage_valid$6$q && !\dut.pair_pipeline.stage_valid$7$q && !\dut.pair_pipeline.stage_valid$8$q );
            assume (\dut.amaf_table.clear_done$q && \dut.amaf_table.clear_address$q == 5888);
        end
        // The memories hold what they hold.
        if (!$initstate && last_address == {node[9:0], child[4:1]})
            assume ((child[0] ? \dut.banks$1.placed$data [14:0] : \dut.banks$0.placed$data [14:0]) == word);

        // Placements are written by an entry only, at the place of the next child of the open node.
        assert ((\dut.banks$0.placed$write || \dut.banks$1.placed$write ) == entry);
        assert (!(\dut.banks$0.placed$write && \dut.banks$1.placed$write ));
        if (entry) begin
            assert (\dut.banks$1.placed$write == odd);
            assert ((odd ? \dut.banks$1.placed$write_address : \dut.banks$0.placed$write_address )
                == {\dut.node_allocator.open_node$q [9:0], \dut.node_allocator.child_count$q [4:1]});
            assert ((odd ? \dut.banks$1.placed$word [14:0] : \dut.banks$0.placed$word [14:0]) == new_placement);
        end
        // A reading reports, once, of the child that it was asked for.
        if (age > 0) begin
            assert (selected == (reading && age == 9));
            assert (idle == (!reading || age > 9));
            if (selected) assert (selected_child == child && selected_placement == word);
        end
    end
endmodule
