// Top for the DE2-115: the clock, reset, serial line, lights.

`include "board.vh"
`default_nettype none

module de2_115 (
    input  wire       clock_50mhz,
    input  wire       button,
    input  wire       uart_rx,
    output wire       uart_tx,
    output wire [7:0] lights
);
    wire locked, playing, thinking;
    wire [4:0] clocks;
    wire [5:0] flags;

    // The period of the input is in picoseconds.
    altpll #(
        .intended_device_family("Cyclone IV E"),
        .operation_mode("NORMAL"),
        .compensate_clock("CLK0"),
        .pll_type("AUTO"),
        .bandwidth_type("AUTO"),
        .inclk0_input_frequency(20000),
        .clk0_multiply_by(`PLL_FEEDBACK),
        .clk0_divide_by(`PLL_INPUT * `PLL_OUTPUT),
        .clk0_duty_cycle(50),
        .clk0_phase_shift("0"),
        .port_inclk0("PORT_USED"),
        .port_clk0("PORT_USED"),
        .port_locked("PORT_USED"),
        .port_areset("PORT_UNUSED"),
        .width_clock(5)
    ) pll (
        .inclk({1'b0, clock_50mhz}),
        .clk(clocks),
        .locked(locked)
    );

    // The player passes reset through two registers of its own clock.
    duoforge_player player (
        .clock(clocks[0]),
        .reset(button == `PRESSED | ~locked),
        .rx(uart_rx),
        .tx(uart_tx),
        .playing(playing),
        .thinking(thinking),
        .flags(flags)
    );

    assign lights = {8{~`LIT}} ^ {flags, thinking, playing};
endmodule
