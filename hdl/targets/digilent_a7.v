// Top for Digilent's boards with an Artix-7: the clock, reset, two serial lines as one, lights.
//
// The player listens to the USB and to a Pmod RS-232 at once: both lines rest at high, a line
// without a host is pulled up, so that AND joins them; the answer goes out on both.

`include "board.vh"
`default_nettype none

module digilent_a7 (
    input  wire       clock_100mhz,
    input  wire       button,
    input  wire       usb_rx,
    output wire       usb_tx,
    input  wire       pmod_rx,
    output wire       pmod_tx,
    output wire [7:0] lights
);
    wire made, clock, fed_back, locked, tx, playing, thinking;
    wire [5:0] flags;

    // The period of the input is in nanoseconds.
    PLLE2_BASE #(
        .CLKIN1_PERIOD(10.0),
        .DIVCLK_DIVIDE(`PLL_INPUT),
        .CLKFBOUT_MULT(`PLL_FEEDBACK),
        .CLKOUT0_DIVIDE(`PLL_OUTPUT)
    ) pll (
        .CLKIN1(clock_100mhz),
        .CLKFBIN(fed_back),
        .CLKFBOUT(fed_back),
        .CLKOUT0(made),
        .LOCKED(locked),
        .PWRDWN(1'b0),
        .RST(1'b0)
    );

    BUFG buffer (
        .I(made),
        .O(clock)
    );

    // The player passes reset through two registers of its own clock.
    duoforge_player player (
        .clock(clock),
        .reset(button == `PRESSED | ~locked),
        .rx(usb_rx & pmod_rx),
        .tx(tx),
        .playing(playing),
        .thinking(thinking),
        .flags(flags)
    );

    assign usb_tx = tx;
    assign pmod_tx = tx;
    assign lights = {8{~`LIT}} ^ {flags, thinking, playing};
endmodule
