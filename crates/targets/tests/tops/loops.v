// The parts of the vendors' cells that the tops use.

`timescale 1ns/1ps

module altpll (
    input  wire [1:0] inclk,
    output wire [4:0] clk,
    output reg        locked
);
    parameter intended_device_family = "";
    parameter operation_mode = "";
    parameter compensate_clock = "";
    parameter pll_type = "";
    parameter bandwidth_type = "";
    parameter inclk0_input_frequency = 0;
    parameter clk0_multiply_by = 1;
    parameter clk0_divide_by = 1;
    parameter clk0_duty_cycle = 50;
    parameter clk0_phase_shift = "0";
    parameter port_inclk0 = "";
    parameter port_clk0 = "";
    parameter port_locked = "";
    parameter port_areset = "";
    parameter width_clock = 5;

    // In nanoseconds.
    localparam real HALF = inclk0_input_frequency / 2000.0 / clk0_multiply_by * clk0_divide_by;
    reg made = 0;
    always #(HALF) made = ~made;
    assign clk = {4'b0, made};

    initial begin
        locked = 0;
        repeat (50) @(posedge inclk[0]);
        locked = 1;
    end
endmodule

module PLLE2_BASE (
    input  wire CLKIN1,
    input  wire CLKFBIN,
    output wire CLKFBOUT,
    output reg  CLKOUT0,
    output reg  LOCKED,
    input  wire PWRDWN,
    input  wire RST
);
    parameter real CLKIN1_PERIOD = 0.0;
    parameter DIVCLK_DIVIDE = 1;
    parameter CLKFBOUT_MULT = 1;
    parameter CLKOUT0_DIVIDE = 1;

    localparam real HALF = CLKIN1_PERIOD * DIVCLK_DIVIDE / CLKFBOUT_MULT * CLKOUT0_DIVIDE / 2;
    assign CLKFBOUT = CLKIN1;
    initial CLKOUT0 = 0;
    always #(HALF) CLKOUT0 = ~CLKOUT0;

    initial begin
        LOCKED = 0;
        repeat (50) @(posedge CLKIN1);
        LOCKED = 1;
    end
endmodule

module BUFG (
    input  wire I,
    output wire O
);
    assign O = I;
endmodule
