// A block of memory of the ECP5, as Yosys' mapping uses it: without output registers, with one clock.
//
// Yosys' own library has its ports only. A word is 18 bits, two bytes of nine; widths below nine leave
// the ninth bit out, and a width of 36 takes two words and the data lines of both ports. In the widths 18
// and 36 the lowest bits of the address enable bytes.
module DP16KD(
    input DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5,
    DIA4, DIA3, DIA2, DIA1, DIA0,
    input ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0,
    input CEA, OCEA, CLKA, WEA, RSTA, CSA2, CSA1, CSA0,
    output DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5,
    DOA4, DOA3, DOA2, DOA1, DOA0,
    input DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5,
    DIB4, DIB3, DIB2, DIB1, DIB0,
    input ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0,
    input CEB, OCEB, CLKB, WEB, RSTB, CSB2, CSB1, CSB0,
    output DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5,
    DOB4, DOB3, DOB2, DOB1, DOB0
);
    parameter DATA_WIDTH_A = 18;
    parameter DATA_WIDTH_B = 18;
    parameter REGMODE_A = "NOREG";
    parameter REGMODE_B = "NOREG";
    parameter RESETMODE = "SYNC";
    parameter ASYNC_RESET_RELEASE = "SYNC";
    parameter CSDECODE_A = "0b000";
    parameter CSDECODE_B = "0b000";
    parameter [119:0] WRITEMODE_A = "NORMAL";
    parameter [119:0] WRITEMODE_B = "NORMAL";
    parameter CLKAMUX = "CLKA";
    parameter CLKBMUX = "CLKB";
    parameter GSR = "ENABLED";
    parameter [319:0] INITVAL_00 = 320'b0;
    parameter [319:0] INITVAL_01 = 320'b0;
    parameter [319:0] INITVAL_02 = 320'b0;
    parameter [319:0] INITVAL_03 = 320'b0;
    parameter [319:0] INITVAL_04 = 320'b0;
    parameter [319:0] INITVAL_05 = 320'b0;
    parameter [319:0] INITVAL_06 = 320'b0;
    parameter [319:0] INITVAL_07 = 320'b0;
    parameter [319:0] INITVAL_08 = 320'b0;
    parameter [319:0] INITVAL_09 = 320'b0;
    parameter [319:0] INITVAL_0A = 320'b0;
    parameter [319:0] INITVAL_0B = 320'b0;
    parameter [319:0] INITVAL_0C = 320'b0;
    parameter [319:0] INITVAL_0D = 320'b0;
    parameter [319:0] INITVAL_0E = 320'b0;
    parameter [319:0] INITVAL_0F = 320'b0;
    parameter [319:0] INITVAL_10 = 320'b0;
    parameter [319:0] INITVAL_11 = 320'b0;
    parameter [319:0] INITVAL_12 = 320'b0;
    parameter [319:0] INITVAL_13 = 320'b0;
    parameter [319:0] INITVAL_14 = 320'b0;
    parameter [319:0] INITVAL_15 = 320'b0;
    parameter [319:0] INITVAL_16 = 320'b0;
    parameter [319:0] INITVAL_17 = 320'b0;
    parameter [319:0] INITVAL_18 = 320'b0;
    parameter [319:0] INITVAL_19 = 320'b0;
    parameter [319:0] INITVAL_1A = 320'b0;
    parameter [319:0] INITVAL_1B = 320'b0;
    parameter [319:0] INITVAL_1C = 320'b0;
    parameter [319:0] INITVAL_1D = 320'b0;
    parameter [319:0] INITVAL_1E = 320'b0;
    parameter [319:0] INITVAL_1F = 320'b0;
    parameter [319:0] INITVAL_20 = 320'b0;
    parameter [319:0] INITVAL_21 = 320'b0;
    parameter [319:0] INITVAL_22 = 320'b0;
    parameter [319:0] INITVAL_23 = 320'b0;
    parameter [319:0] INITVAL_24 = 320'b0;
    parameter [319:0] INITVAL_25 = 320'b0;
    parameter [319:0] INITVAL_26 = 320'b0;
    parameter [319:0] INITVAL_27 = 320'b0;
    parameter [319:0] INITVAL_28 = 320'b0;
    parameter [319:0] INITVAL_29 = 320'b0;
    parameter [319:0] INITVAL_2A = 320'b0;
    parameter [319:0] INITVAL_2B = 320'b0;
    parameter [319:0] INITVAL_2C = 320'b0;
    parameter [319:0] INITVAL_2D = 320'b0;
    parameter [319:0] INITVAL_2E = 320'b0;
    parameter [319:0] INITVAL_2F = 320'b0;
    parameter [319:0] INITVAL_30 = 320'b0;
    parameter [319:0] INITVAL_31 = 320'b0;
    parameter [319:0] INITVAL_32 = 320'b0;
    parameter [319:0] INITVAL_33 = 320'b0;
    parameter [319:0] INITVAL_34 = 320'b0;
    parameter [319:0] INITVAL_35 = 320'b0;
    parameter [319:0] INITVAL_36 = 320'b0;
    parameter [319:0] INITVAL_37 = 320'b0;
    parameter [319:0] INITVAL_38 = 320'b0;
    parameter [319:0] INITVAL_39 = 320'b0;
    parameter [319:0] INITVAL_3A = 320'b0;
    parameter [319:0] INITVAL_3B = 320'b0;
    parameter [319:0] INITVAL_3C = 320'b0;
    parameter [319:0] INITVAL_3D = 320'b0;
    parameter [319:0] INITVAL_3E = 320'b0;
    parameter [319:0] INITVAL_3F = 320'b0;

    reg [17:0] words [0:1023];
    integer i;

    initial begin
        for (i = 0; i < 16; i = i + 1) begin
            words[0 + i] = INITVAL_00[i * 20 +: 18];
            words[16 + i] = INITVAL_01[i * 20 +: 18];
            words[32 + i] = INITVAL_02[i * 20 +: 18];
            words[48 + i] = INITVAL_03[i * 20 +: 18];
            words[64 + i] = INITVAL_04[i * 20 +: 18];
            words[80 + i] = INITVAL_05[i * 20 +: 18];
            words[96 + i] = INITVAL_06[i * 20 +: 18];
            words[112 + i] = INITVAL_07[i * 20 +: 18];
            words[128 + i] = INITVAL_08[i * 20 +: 18];
            words[144 + i] = INITVAL_09[i * 20 +: 18];
            words[160 + i] = INITVAL_0A[i * 20 +: 18];
            words[176 + i] = INITVAL_0B[i * 20 +: 18];
            words[192 + i] = INITVAL_0C[i * 20 +: 18];
            words[208 + i] = INITVAL_0D[i * 20 +: 18];
            words[224 + i] = INITVAL_0E[i * 20 +: 18];
            words[240 + i] = INITVAL_0F[i * 20 +: 18];
            words[256 + i] = INITVAL_10[i * 20 +: 18];
            words[272 + i] = INITVAL_11[i * 20 +: 18];
            words[288 + i] = INITVAL_12[i * 20 +: 18];
            words[304 + i] = INITVAL_13[i * 20 +: 18];
            words[320 + i] = INITVAL_14[i * 20 +: 18];
            words[336 + i] = INITVAL_15[i * 20 +: 18];
            words[352 + i] = INITVAL_16[i * 20 +: 18];
            words[368 + i] = INITVAL_17[i * 20 +: 18];
            words[384 + i] = INITVAL_18[i * 20 +: 18];
            words[400 + i] = INITVAL_19[i * 20 +: 18];
            words[416 + i] = INITVAL_1A[i * 20 +: 18];
            words[432 + i] = INITVAL_1B[i * 20 +: 18];
            words[448 + i] = INITVAL_1C[i * 20 +: 18];
            words[464 + i] = INITVAL_1D[i * 20 +: 18];
            words[480 + i] = INITVAL_1E[i * 20 +: 18];
            words[496 + i] = INITVAL_1F[i * 20 +: 18];
            words[512 + i] = INITVAL_20[i * 20 +: 18];
            words[528 + i] = INITVAL_21[i * 20 +: 18];
            words[544 + i] = INITVAL_22[i * 20 +: 18];
            words[560 + i] = INITVAL_23[i * 20 +: 18];
            words[576 + i] = INITVAL_24[i * 20 +: 18];
            words[592 + i] = INITVAL_25[i * 20 +: 18];
            words[608 + i] = INITVAL_26[i * 20 +: 18];
            words[624 + i] = INITVAL_27[i * 20 +: 18];
            words[640 + i] = INITVAL_28[i * 20 +: 18];
            words[656 + i] = INITVAL_29[i * 20 +: 18];
            words[672 + i] = INITVAL_2A[i * 20 +: 18];
            words[688 + i] = INITVAL_2B[i * 20 +: 18];
            words[704 + i] = INITVAL_2C[i * 20 +: 18];
            words[720 + i] = INITVAL_2D[i * 20 +: 18];
            words[736 + i] = INITVAL_2E[i * 20 +: 18];
            words[752 + i] = INITVAL_2F[i * 20 +: 18];
            words[768 + i] = INITVAL_30[i * 20 +: 18];
            words[784 + i] = INITVAL_31[i * 20 +: 18];
            words[800 + i] = INITVAL_32[i * 20 +: 18];
            words[816 + i] = INITVAL_33[i * 20 +: 18];
            words[832 + i] = INITVAL_34[i * 20 +: 18];
            words[848 + i] = INITVAL_35[i * 20 +: 18];
            words[864 + i] = INITVAL_36[i * 20 +: 18];
            words[880 + i] = INITVAL_37[i * 20 +: 18];
            words[896 + i] = INITVAL_38[i * 20 +: 18];
            words[912 + i] = INITVAL_39[i * 20 +: 18];
            words[928 + i] = INITVAL_3A[i * 20 +: 18];
            words[944 + i] = INITVAL_3B[i * 20 +: 18];
            words[960 + i] = INITVAL_3C[i * 20 +: 18];
            words[976 + i] = INITVAL_3D[i * 20 +: 18];
            words[992 + i] = INITVAL_3E[i * 20 +: 18];
            words[1008 + i] = INITVAL_3F[i * 20 +: 18];
        end
    end

    wire [13:0] ada = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
    wire [13:0] adb = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
    wire [17:0] dia = {DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3,
           DIA2, DIA1, DIA0};
    wire [17:0] dib = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3,
           DIB2, DIB1, DIB0};
    wire ona = CEA & ~CSA2 & ~CSA1 & ~CSA0;
    wire onb = CEB & ~CSB2 & ~CSB1 & ~CSB0;

    // What is written into a word: the old one but for the bits that are meant.
    function [17:0] merged(input [17:0] old, input [17:0] data, input [13:0] ad, input integer width);
        reg [17:0] mask;
        reg [17:0] moved;
        begin
            mask = 18'h3ffff;
            moved = data;
            if (width == 18) mask = {{9{ad[1]}}, {9{ad[0]}}};
            if (width < 18) begin
                case (width)
                    9: begin mask = 18'h1ff; end
                    4: begin mask = 18'hf << {ad[2], 2'b0}; moved = data << {ad[2], 2'b0}; end
                    2: begin mask = 18'h3 << {ad[2:1], 1'b0}; moved = data << {ad[2:1], 1'b0}; end
                    default: begin mask = 18'h1 << ad[2:0]; moved = data << ad[2:0]; end
                endcase
                if (ad[3]) begin
                    mask = mask << 9;
                    moved = moved << 9;
                end
            end
            merged = (old & ~mask) | (moved & mask);
        end
    endfunction

    // What is read of a word.
    function [17:0] part(input [17:0] word, input [13:0] ad, input integer width);
        reg [17:0] low;
        begin
            low = ad[3] ? word >> 9 : word;
            case (width)
                9: part = low & 18'h1ff;
                4: part = (low >> {ad[2], 2'b0}) & 18'hf;
                2: part = (low >> {ad[2:1], 1'b0}) & 18'h3;
                1: part = (low >> ad[2:0]) & 18'h1;
                default: part = word;
            endcase
        end
    endfunction

    reg [17:0] qa = 0;
    reg [35:0] qb = 0;

    // Reads come before writes, so that each port reads what was there.
    always @(posedge CLKA) begin
        if (ona & (~WEA | (WRITEMODE_A == "READBEFOREWRITE")))
            qa <= part(words[ada[13:4]], ada, DATA_WIDTH_A);
        if (ona & WEA) begin
            if (DATA_WIDTH_A == 36) begin
                words[{ada[13:5], 1'b0}] <= merged(words[{ada[13:5], 1'b0}], dia, ada, 18);
                words[{ada[13:5], 1'b1}] <= merged(words[{ada[13:5], 1'b1}], dib, ada >> 2, 18);
            end else begin
                words[ada[13:4]] <= merged(words[ada[13:4]], dia, ada, DATA_WIDTH_A);
            end
        end
    end

    always @(posedge CLKB) begin
        if (onb & (~WEB | (WRITEMODE_B == "READBEFOREWRITE"))) begin
            if (DATA_WIDTH_B == 36)
                qb <= {words[{adb[13:5], 1'b1}], words[{adb[13:5], 1'b0}]};
            else
                qb <= {18'b0, part(words[adb[13:4]], adb, DATA_WIDTH_B)};
        end
        if (onb & WEB)
            words[adb[13:4]] <= merged(words[adb[13:4]], dib, adb, DATA_WIDTH_B);
    end

    wire [17:0] doa = DATA_WIDTH_B == 36 ? qb[17:0] : qa;
    wire [17:0] dob = DATA_WIDTH_B == 36 ? qb[35:18] : qb[17:0];
    assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3,
           DOA2, DOA1, DOA0} = doa;
    assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3,
           DOB2, DOB1, DOB0} = dob;
endmodule
