// Top for the iCE40HX-8K breakout board: the clock, reset while it is not stable, serial line, lights.

`include "board.vh"
`default_nettype none

module hx8k_breakout (
    input  wire       clock_12mhz,
    input  wire       ftdi_rx,
    output wire       ftdi_tx,
    output wire [7:0] lights
);
    wire clock, locked, playing, thinking;
    wire [5:0] flags;

    // The filter's range 1 is for 10 to 17 MHz at the comparison.
    SB_PLL40_CORE #(
        .FEEDBACK_PATH("SIMPLE"),
        .DIVR(`PLL_INPUT - 1),
        .DIVF(`PLL_FEEDBACK - 1),
        .DIVQ($clog2(`PLL_OUTPUT)),
        .FILTER_RANGE(1)
    ) pll (
        .REFERENCECLK(clock_12mhz),
        .PLLOUTGLOBAL(clock),
        .LOCK(locked),
        .RESETB(1'b1),
        .BYPASS(1'b0)
    );

    // The player passes reset through two registers of its own clock.
    duoforge_player player (
        .clock(clock),
        .reset(~locked),
        .rx(ftdi_rx),
        .tx(ftdi_tx),
        .playing(playing),
        .thinking(thinking),
        .flags(flags)
    );

    assign lights = {8{~`LIT}} ^ {flags, thinking, playing};
endmodule
