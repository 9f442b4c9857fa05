// Top for the ULX3S: the clock, reset, two serial lines as one, lights, and the SDRAM of a player
// that uses it.
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
`ifdef SDRAM
    output wire        sdram_clock,
    output wire        sdram_cke,
    output wire        sdram_cs_n,
    output wire        sdram_ras_n,
    output wire        sdram_cas_n,
    output wire        sdram_we_n,
    output wire [1:0]  sdram_bank,
    output wire [12:0] sdram_address,
    output wire [1:0]  sdram_mask,
    inout  wire [15:0] sdram_data,
`endif
    input  wire       user_programn
);
    wire clock, locked, tx, playing, thinking;
    wire [5:0] flags;
`ifdef SDRAM
    wire early_clock, mask, drive, memory_failed;
    wire [15:0] data_out;
`endif

    // The loop compares the output itself, whose phase is delayed by a whole period.
    EHXPLLL #(
        .CLKI_DIV(`PLL_INPUT),
        .CLKFB_DIV(`PLL_FEEDBACK),
        .CLKOP_DIV(`PLL_OUTPUT),
        .CLKOP_CPHASE(`PLL_OUTPUT - 1),
        .CLKOP_FPHASE(0),
        .CLKOP_ENABLE("ENABLED"),
`ifdef SDRAM
        .CLKOS_DIV(`PLL_OUTPUT),
        .CLKOS_CPHASE(`PLL_OUTPUT - 1 - `PLL_OUTPUT / 6),
        .CLKOS_FPHASE(0),
        .CLKOS_ENABLE("ENABLED"),
`endif
        .FEEDBK_PATH("CLKOP"),
        .STDBY_ENABLE("DISABLED"),
        .PLLRST_ENA("DISABLED"),
        .INTFB_WAKE("DISABLED")
    ) pll (
        .CLKI(clock_25mhz),
        .CLKFB(clock),
        .CLKOP(clock),
`ifdef SDRAM
        .CLKOS(early_clock),
`endif
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
`ifdef SDRAM
        .sdram_cke(sdram_cke),
        .sdram_cs_n(sdram_cs_n),
        .sdram_ras_n(sdram_ras_n),
        .sdram_cas_n(sdram_cas_n),
        .sdram_we_n(sdram_we_n),
        .sdram_bank(sdram_bank),
        .sdram_address(sdram_address),
        .sdram_mask(mask),
        .sdram_data_out(data_out),
        .sdram_drive(drive),
        .sdram_data_in(sdram_data),
        .memory_failed(memory_failed),
`endif
        .flags(flags)
    );

`ifdef SDRAM
    assign sdram_mask = {mask, mask};
    assign sdram_data = drive ? data_out : 16'bz;

    // A register of the pin outputs the clock, so it lies as far from the pin as a register in the
    // fabric does without wires. Wires delay the other outputs by 1 to 5 ns, and a word comes 6 ns
    // after the chip's edge. Both have the most room if the chip's edge is a sixth of a period
    // before the player's.
    ODDRX1F clock_output (
        .D0(1'b1),
        .D1(1'b0),
        .SCLK(early_clock),
        .RST(1'b0),
        .Q(sdram_clock)
    );
`else
    wire memory_failed = 1'b0;
`endif

    assign ftdi_tx = tx;
    assign pmod_tx = tx;
    // Between games, all lights are on if the SDRAM has failed its self-test.
    assign lights = {8{~`LIT}} ^ ({flags, thinking, playing} | {8{memory_failed & ~playing}});

    assign wifi_gpio0 = 1'b1;
    assign shutdown = 1'b0;
endmodule
