// Each memory of the tree is written by one job at a time: a new child, a link, a visit or a result, never
// two of them in one cycle. And no AMAF entry is written in a cycle in which a result reads one.
//
// Jobs come by the tree's timing: while it is idle, or for `update`, `amaf_enter` and `amaf_remove` while it is
// ready, one a cycle.
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

    (* hierconn *) wire \dut.pair_pipeline.stage_valid$0$q ;
    (* hierconn *) wire \dut.pair_pipeline.stage_valid$1$q ;
    (* hierconn *) wire \dut.pair_pipeline.stage_valid$2$q ;
    (* hierconn *) wire \dut.pair_pipeline.stage_valid$3$q ;
    (* hierconn *) wire \dut.pair_pipeline.stage_valid$4$q ;
    (* hierconn *) wire \dut.pair_pipeline.stage_valid$5$q ;
    (* hierconn *) wire \dut.pair_pipeline.stage_valid$6$q ;
    (* hierconn *) wire \dut.pair_pipeline.stage_valid$7$q ;
    (* hierconn *) wire \dut.pair_pipeline.stage_valid$8$q ;
    (* hierconn *) wire \dut.banks$0.mean_update.changes$0$q ;
    (* hierconn *) wire \dut.banks$0.mean_update.changes$1$q ;
    (* hierconn *) wire \dut.banks$0.mean_update.changes$2$q ;
    (* hierconn *) wire \dut.banks$0.mean_update.changes$3$q ;
    (* hierconn *) wire \dut.banks$0.mean_update.changes$4$q ;
    (* hierconn *) wire \dut.banks$1.mean_update.changes$0$q ;
    (* hierconn *) wire \dut.banks$1.mean_update.changes$1$q ;
    (* hierconn *) wire \dut.banks$1.mean_update.changes$2$q ;
    (* hierconn *) wire \dut.banks$1.mean_update.changes$3$q ;
    (* hierconn *) wire \dut.banks$1.mean_update.changes$4$q ;
    (* hierconn *) wire \dut.pair_control.chosen$0$q ;
    (* hierconn *) wire \dut.pair_control.chosen$1$q ;
    (* hierconn *) wire \dut.pair_control.sibling$0$q ;
    (* hierconn *) wire \dut.pair_control.sibling$1$q ;
    (* hierconn *) wire \dut.pair_control.delayed_chosen$0$q ;
    (* hierconn *) wire \dut.pair_control.delayed_chosen$1$q ;
    (* hierconn *) wire \dut.pair_control.delayed_sibling$0$q ;
    (* hierconn *) wire \dut.pair_control.delayed_sibling$1$q ;
    (* hierconn *) wire \dut.busy$q , \dut.streaming$q , \dut.linking$q , \dut.delayed_linking$q , \dut.count_visit ;
    (* hierconn *) wire \dut.selecting$q , \dut.updating$q , \dut.reading$q , \dut.nodes$write ;
    (* hierconn *) wire \dut.banks$0.counts$write , \dut.banks$1.counts$write ;
    (* hierconn *) wire \dut.banks$0.links$write , \dut.banks$1.links$write ;
    (* hierconn *) wire \dut.banks$0.visited$write , \dut.banks$1.visited$write ;
    (* hierconn *) wire [12:0] \dut.amaf_table.clear_address$q ;
    (* hierconn *) wire \dut.amaf_table.writing$q , \dut.amaf_table.request$q ;
    wire updating = \dut.updating$q , streaming = \dut.streaming$q , linking = \dut.linking$q ;
    wire any = \dut.pair_pipeline.stage_valid$0$q || \dut.pair_pipeline.stage_valid$1$q || \dut.pair_pipeline.stage_valid$2$q || \dut.pair_pipeline.stage_valid$3$q
        || \dut.pair_pipeline.stage_valid$4$q || \dut.pair_pipeline.stage_valid$5$q || \dut.pair_pipeline.stage_valid$6$q || \dut.pair_pipeline.stage_valid$7$q
        || \dut.pair_pipeline.stage_valid$8$q ;
    wire results = \dut.banks$0.mean_update.changes$4$q || \dut.banks$1.mean_update.changes$4$q ;
    wire [4:0] writers = {store, entry, \dut.delayed_linking$q , \dut.count_visit , results};

    always @(*) begin
        // It begins at power-up, or, to save a counterexample the time, when all entries are known.
        if ($initstate) assume (\dut.amaf_table.clear_address$q == 0 || \dut.amaf_table.clear_address$q == 5888);
        assume (idle || !(clear || add || entry || select || read || link || transfer || store));
        assume (ready || !(update || amaf_enter || amaf_remove));
        assume (clear + add + entry + select + read + link + update + amaf_enter + amaf_remove
            + (transfer || store) <= 4'd1);

        // What is claimed: one part that writes, and what it writes.
        assert ((writers & (writers - 5'd1)) == 0);
        if (!entry && !store) begin
            assert ((\dut.banks$0.counts$write || \dut.banks$1.counts$write ) == results);
            assert ((\dut.banks$0.links$write || \dut.banks$1.links$write )
                == (\dut.delayed_linking$q || \dut.count_visit ));
            assert ((\dut.banks$0.visited$write || \dut.banks$1.visited$write ) == \dut.count_visit );
            assert (\dut.nodes$write == \dut.count_visit );
        end
        if (!results) assert (!(\dut.banks$0.counts$write && \dut.banks$1.counts$write ));
        assert (!(\dut.banks$0.links$write && \dut.banks$1.links$write ));
        assert (!(\dut.banks$0.visited$write && \dut.banks$1.visited$write ));
        // A result's pair reads its AMAF entries in the cycle after it was read.
        if (\dut.amaf_table.writing$q ) assert (!(\dut.pair_pipeline.stage_valid$1$q && updating));

        // How it comes about.
        if (any || streaming || linking) assert (\dut.busy$q );
        if (\dut.delayed_linking$q ) assert (linking);
        if (\dut.busy$q ) assert (\dut.selecting$q + updating + \dut.reading$q + linking == 3'd1);
        if (linking) assert (!any && !streaming);
        if (\dut.amaf_table.request$q ) assert (!(updating && \dut.pair_pipeline.stage_valid$0$q && streaming) );
        if (\dut.amaf_table.request$q && updating && \dut.busy$q ) assert (!\dut.pair_pipeline.stage_valid$0$q );
        if (\dut.banks$0.mean_update.changes$0$q || \dut.banks$1.mean_update.changes$0$q )
            assert (\dut.pair_pipeline.stage_valid$4$q && updating);
        if (\dut.banks$0.mean_update.changes$1$q || \dut.banks$1.mean_update.changes$1$q )
            assert (\dut.pair_pipeline.stage_valid$5$q && updating);
        if (\dut.banks$0.mean_update.changes$2$q || \dut.banks$1.mean_update.changes$2$q )
            assert (\dut.pair_pipeline.stage_valid$6$q && updating);
        if (\dut.banks$0.mean_update.changes$3$q || \dut.banks$1.mean_update.changes$3$q )
            assert (\dut.pair_pipeline.stage_valid$7$q && updating);
        if (\dut.banks$0.mean_update.changes$4$q || \dut.banks$1.mean_update.changes$4$q )
            assert (\dut.pair_pipeline.stage_valid$8$q && updating);
        if (\dut.pair_control.chosen$0$q  || \dut.pair_control.chosen$1$q  || \dut.pair_control.sibling$0$q  || \dut.pair_control.sibling$1$q )
            assert (\dut.pair_pipeline.stage_valid$2$q );
        if (\dut.pair_control.delayed_chosen$0$q  || \dut.pair_control.delayed_chosen$1$q  || \dut.pair_control.delayed_sibling$0$q  || \dut.pair_control.delayed_sibling$1$q )
            assert (\dut.pair_pipeline.stage_valid$3$q );
    end
endmodule
