// A child's proven value stays: once its count shows that it is proven, no result changes it, not even another
// proven one; a result that is proven is what is kept from then on; and no other result makes a value proven.
// Twin: `Child::set_proven` and `Child::update`.
//
// A word that is read comes to be written eight cycles later, if at all: so what was read is kept here for
// as long, with the job's data of it. Only a new child is written without having been read.
module proof(input wire clock, input wire [13:0] address, input wire [13:0] place, input wire enter,
    input wire [14:0] new_placement, input wire [15:0] new_prior, input wire [23:0] new_mean,
    input wire link, input wire [13:0] new_next, input wire visit, input wire [17:0] new_visits,
    input wire new_count_valid, input wire [21:0] new_count, input wire [15:0] new_value,
    input wire updating, input wire add_visit, input wire chosen, input wire sibling, input wire prove,
    input wire side, input wire [5:0] ply, input wire [6:0] amaf_entry, input wire [19:0] scale,
    input wire [15:0] result);
    tree_511_banks dut(.clock, .address, .write_address(place), .enter, .new_placement, .new_prior, .new_mean, .link,
        .new_next_node(new_next), .visit, .new_visits, .new_count_valid, .new_count, .new_value, .updating, .add_visit_1(add_visit), .chosen_3(chosen),
        .sibling_3(sibling), .prove_3(prove), .side_3(side), .ply_3(ply), .amaf_entry_3(amaf_entry),
        .scale_4(scale), .result_4(result), .memory(7'd0), .store(7'd0), .stored_word(16'd0));

    (* hierconn *) wire [15:0] \dut.counts$data , \dut.counts$word , \dut.tops$data , \dut.tops$word , \dut.means$word ;
    (* hierconn *) wire \dut.counts$write , \dut.means$write , \dut.tops$write , \dut.visited$write , \dut.links$write ;
    (* hierconn *) wire \dut.placed$write , \dut.priors$write ;
    (* hierconn *) wire [15:0] \dut.visited$word , \dut.links$word , \dut.links_read$q ;

    // What was read eight cycles ago, the job's data of five cycles ago, and its result four cycles ago.
    reg [16*8-1:0] counts;
    reg [4:0] jobs, choices, proofs;
    reg [16*4-1:0] results;
    reg [3:0] age = 0;
    always @(posedge clock) begin
        counts <= {counts[16*7-1:0], \dut.counts$data };
        jobs <= {jobs[3:0], updating};
        choices <= {choices[3:0], chosen};
        proofs <= {proofs[3:0], prove};
        results <= {results[16*3-1:0], result};
        if (age != 15) age <= age + 1;
    end
    wire [15:0] before = counts[16*8-1 -: 16], after = \dut.counts$word ;
    wire proves = jobs[4] && choices[4] && proofs[4];

    always @(*) begin
        // Count and mean are written together; nothing else writes them. A count has 16 bits here.
        assert (\dut.counts$write == \dut.means$write && \dut.tops$write == \dut.means$write );
        assume (\dut.tops$data [15:8] == 0);
        if (age >= 8 && \dut.tops$write ) assert (\dut.tops$word [15:8] == 0);
        if (age >= 8 && !enter) begin
            if (before == 16'hffff || !jobs[4]) assert (!\dut.counts$write );
            else if (proves) assert (\dut.counts$write && after == 16'hffff
                && {\dut.tops$word [7:0], \dut.means$word } == {results[16*4-1 -: 16], 8'd0});
            else if (\dut.counts$write ) assert (after != 16'hffff && after >= before);
        end
        // A new child's value is not proven, and it leads nowhere and was not visited.
        if (enter) assert (\dut.counts$write && after != 16'hffff && after >= 16);
        if (enter && !visit) assert (\dut.visited$write && \dut.visited$word == 0);
        if (enter && !link && !visit) assert (\dut.links$write && \dut.links$word == 0);
        // Visits and links change only by their jobs, and then as the jobs state.
        assert (\dut.visited$write == (enter || visit));
        if (visit) assert ({\dut.links$word [15:14], \dut.visited$word } == new_visits);
        if (visit) assert (\dut.links$word [13:0] == new_next);
        assert (\dut.links$write == (enter || link || visit) && \dut.placed$write == enter && \dut.priors$write == enter);
        if (link && !visit) assert (\dut.links$word == {\dut.links_read$q [15:14], new_next});
    end
endmodule
