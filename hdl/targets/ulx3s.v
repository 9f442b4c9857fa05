// Top for the ULX3S: the clock, reset, two serial lines as one, lights.
//
// The player listens to the FTDI and to a Pmod RS-232 at once: both lines rest at high, a line
// without a host is pulled up, so that AND joins them; the answer goes out on both. Only one host
// may speak at a time, as on any serial line.

`include "board.vh"
`default_nettype none

module ulx3s (
    input  wire       clock_25mhz,
    input  wire       button,
    input  wire       ftdi_rx,
    output wire       ftdi_tx,
    input  wire       pmod_rx,
    output wire       pmod_tx,
    output wire [7:0] lights,
    output wire       wifi_gpio0,
    output wire       shutdown,
    input  wire       user_programn
);
    wire clock, locked, tx, playing, thinking;
    wire [5:0] flags;

    // The loop compares the output itself, whose phase is delayed by a whole period.
    EHXPLLL #(
        .CLKI_DIV(`PLL_INPUT),
        .CLKFB_DIV(`PLL_FEEDBACK),
        .CLKOP_DIV(`PLL_OUTPUT),
        .CLKOP_CPHASE(`PLL_OUTPUT - 1),
        .CLKOP_FPHASE(0),
        .CLKOP_ENABLE("ENABLED"),
        .FEEDBK_PATH("CLKOP"),
        .STDBY_ENABLE("DISABLED"),
        .PLLRST_ENA("DISABLED"),
        .INTFB_WAKE("DISABLED")
    ) pll (
        .CLKI(clock_25mhz),
        .CLKFB(clock),
        .CLKOP(clock),
        .LOCK(locked),
        .RST(1'b0),
        .STDBY(1'b0),
        .PHASESEL0(1'b0),
        .PHASESEL1(1'b0),
        .PHASEDIR(1'b1),
        .PHASESTEP(1'b1),
        .PHASELOADREG(1'b1),
        .PLLWAKESYNC(1'b0),
        .ENCLKOP(1'b0)
    );

    // The player passes reset through two registers of its own clock.
    duoforge_player player (
        .clock(clock),
        .reset(button == `PRESSED | ~locked),
        .rx(ftdi_rx & pmod_rx),
        .tx(tx),
        .playing(playing),
        .thinking(thinking),
        .flags(flags)
    );

    assign ftdi_tx = tx;
    assign pmod_tx = tx;
    assign lights = {8{~`LIT}} ^ {flags, thinking, playing};

    assign wifi_gpio0 = 1'b1;
    assign shutdown = 1'b0;
endmodule
