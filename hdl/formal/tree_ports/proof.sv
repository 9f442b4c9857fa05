// Each memory of the tree is written by one job at a time: a new child, a link, a visit or a result, never
// two of them in one clock. And no mark is written in a clock in which a result looks for one.
//
// Jobs come as the tree's timing says: while it is idle, or for `learn`, `mark` and `unmark` while it is
// ready, one a clock.
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

    (* hierconn *) wire \dut.stages.alive$0$q ;
    (* hierconn *) wire \dut.stages.alive$1$q ;
    (* hierconn *) wire \dut.stages.alive$2$q ;
    (* hierconn *) wire \dut.stages.alive$3$q ;
    (* hierconn *) wire \dut.stages.alive$4$q ;
    (* hierconn *) wire \dut.stages.alive$5$q ;
    (* hierconn *) wire \dut.stages.alive$6$q ;
    (* hierconn *) wire \dut.stages.alive$7$q ;
    (* hierconn *) wire \dut.stages.alive$8$q ;
    (* hierconn *) wire \dut.banks$0.lesson.changes$0$q ;
    (* hierconn *) wire \dut.banks$0.lesson.changes$1$q ;
    (* hierconn *) wire \dut.banks$0.lesson.changes$2$q ;
    (* hierconn *) wire \dut.banks$0.lesson.changes$3$q ;
    (* hierconn *) wire \dut.banks$0.lesson.changes$4$q ;
    (* hierconn *) wire \dut.banks$1.lesson.changes$0$q ;
    (* hierconn *) wire \dut.banks$1.lesson.changes$1$q ;
    (* hierconn *) wire \dut.banks$1.lesson.changes$2$q ;
    (* hierconn *) wire \dut.banks$1.lesson.changes$3$q ;
    (* hierconn *) wire \dut.banks$1.lesson.changes$4$q ;
    (* hierconn *) wire \dut.roles.own$0$q ;
    (* hierconn *) wire \dut.roles.own$1$q ;
    (* hierconn *) wire \dut.roles.others$0$q ;
    (* hierconn *) wire \dut.roles.others$1$q ;
    (* hierconn *) wire \dut.roles.late_own$0$q ;
    (* hierconn *) wire \dut.roles.late_own$1$q ;
    (* hierconn *) wire \dut.roles.late_others$0$q ;
    (* hierconn *) wire \dut.roles.late_others$1$q ;
    (* hierconn *) wire \dut.busy$q , \dut.streaming$q , \dut.linking$q , \dut.late_linking$q , \dut.counting ;
    (* hierconn *) wire \dut.selecting$q , \dut.learning$q , \dut.reading$q , \dut.nodes$write ;
    (* hierconn *) wire \dut.banks$0.counts$write , \dut.banks$1.counts$write ;
    (* hierconn *) wire \dut.banks$0.links$write , \dut.banks$1.links$write ;
    (* hierconn *) wire \dut.banks$0.visited$write , \dut.banks$1.visited$write ;
    (* hierconn *) wire [12:0] \dut.marks.sweep$q ;
    (* hierconn *) wire \dut.marks.writing$q , \dut.marks.asked$q ;
    wire learning = \dut.learning$q , streaming = \dut.streaming$q , linking = \dut.linking$q ;
    wire any = \dut.stages.alive$0$q || \dut.stages.alive$1$q || \dut.stages.alive$2$q || \dut.stages.alive$3$q
        || \dut.stages.alive$4$q || \dut.stages.alive$5$q || \dut.stages.alive$6$q || \dut.stages.alive$7$q
        || \dut.stages.alive$8$q ;
    wire results = \dut.banks$0.lesson.changes$4$q || \dut.banks$1.lesson.changes$4$q ;
    wire [3:0] writers = {entry, \dut.late_linking$q , \dut.counting , results};

    always @(*) begin
        // It begins at power-up, or, to save a counterexample the time, when all marks are known.
        if ($initstate) assume (\dut.marks.sweep$q == 0 || \dut.marks.sweep$q == 5888);
        assume (idle || !(clear || add || entry || select || read || link));
        assume (ready || !(learn || mark || unmark));
        assume (clear + add + entry + select + read + link + learn + mark + unmark <= 4'd1);

        // What is claimed: one who writes, and what it writes.
        assert ((writers & (writers - 4'd1)) == 0);
        if (!entry) begin
            assert ((\dut.banks$0.counts$write || \dut.banks$1.counts$write ) == results);
            assert ((\dut.banks$0.links$write || \dut.banks$1.links$write ) == \dut.late_linking$q );
            assert ((\dut.banks$0.visited$write || \dut.banks$1.visited$write ) == \dut.counting );
            assert (\dut.nodes$write == \dut.counting );
        end
        if (!results) assert (!(\dut.banks$0.counts$write && \dut.banks$1.counts$write ));
        assert (!(\dut.banks$0.links$write && \dut.banks$1.links$write ));
        assert (!(\dut.banks$0.visited$write && \dut.banks$1.visited$write ));
        // A result's pair looks for its marks in the clock after it was read.
        if (\dut.marks.writing$q ) assert (!(\dut.stages.alive$1$q && learning));

        // How it comes about.
        if (any || streaming || linking) assert (\dut.busy$q );
        if (\dut.late_linking$q ) assert (linking);
        if (\dut.busy$q ) assert (\dut.selecting$q + learning + \dut.reading$q + linking == 3'd1);
        if (linking) assert (!any && !streaming);
        if (\dut.marks.asked$q ) assert (!(learning && \dut.stages.alive$0$q && streaming) );
        if (\dut.marks.asked$q && learning && \dut.busy$q ) assert (!\dut.stages.alive$0$q );
        if (\dut.banks$0.lesson.changes$0$q || \dut.banks$1.lesson.changes$0$q )
            assert (\dut.stages.alive$4$q && learning);
        if (\dut.banks$0.lesson.changes$1$q || \dut.banks$1.lesson.changes$1$q )
            assert (\dut.stages.alive$5$q && learning);
        if (\dut.banks$0.lesson.changes$2$q || \dut.banks$1.lesson.changes$2$q )
            assert (\dut.stages.alive$6$q && learning);
        if (\dut.banks$0.lesson.changes$3$q || \dut.banks$1.lesson.changes$3$q )
            assert (\dut.stages.alive$7$q && learning);
        if (\dut.banks$0.lesson.changes$4$q || \dut.banks$1.lesson.changes$4$q )
            assert (\dut.stages.alive$8$q && learning);
        if (\dut.roles.own$0$q  || \dut.roles.own$1$q  || \dut.roles.others$0$q  || \dut.roles.others$1$q )
            assert (\dut.stages.alive$2$q );
        if (\dut.roles.late_own$0$q  || \dut.roles.late_own$1$q  || \dut.roles.late_others$0$q  || \dut.roles.late_others$1$q )
            assert (\dut.stages.alive$3$q );
    end
endmodule
