// The footprint that leaves the scorer's table is the rules' for the orientation of the cycle before: in a
// box of seven by seven with a border of one, the orientation's cells and no others.
module proof(input wire clock, input wire [6:0] orientation);
    wire [48:0] cells_of, rules_footprint;
    policy_scorer dut(.clock, .orientation, .orientation_cells(cells_of));

    reg later = 0;
    reg [6:0] past_orientation = 0;
    always @(posedge clock) begin
        later <= 1;
        past_orientation <= orientation;
    end
    orientations orientations(.orientation(past_orientation), .footprint(rules_footprint));
    always @(*) if (later) assert (cells_of == rules_footprint);
endmodule
