// The bench around a design in Icarus: commands come from standard input, answers go to standard
// output. A line break comes before each answer, since the design's own text may end without one.
// The protocol is described in model_protocol.rs, the moment at which ports are looked at in
// simulator.rs. Lines of the form //@NAME are replaced by text that depends on the design.

`timescale 1ns/1ns
module duoforge_bench;
  localparam STDIN = 32'h8000_0000;
  localparam PORTS = //@COUNT
  ;
  localparam MAX_LISTS = 64;
  localparam MAX_LIST_PORTS = 128;
  // Cycles between two signs of life.
  localparam ALIVE = 4096;
  // Longest path of a waveform, in bytes.
  localparam MAX_PATH = 4096;

  reg clock;
//@DECLARATIONS
//@INSTANCE

  // The design's one-bit ports, others are 0: what may enable a sample.
  wire [PORTS-1:0] bits = {
//@BITS
  };

  reg [PORTS-1:0] watched;
  // Watched ports whose present value has to be reported in any case.
  reg [PORTS-1:0] fresh;
  // Set by a change of any watched port, so that quiet cycles cost little.
  reg changed;
  reg [63:0] last [0:PORTS-1];

  reg [PORTS-1:0] enables;
  integer lists;
  integer list_valid [0:MAX_LISTS-1];
  integer list_length [0:MAX_LISTS-1];
  integer list_port [0:MAX_LISTS*MAX_LIST_PORTS-1];

  reg [63:0] clocks;
  reg stale;
  reg later;

  integer command;
  integer got;
  integer i;
  integer j;
  reg [31:0] number;
  reg [31:0] length;
  reg [63:0] value;
  reg [63:0] max;
  reg [63:0] done;
  reg [63:0] seen;
  reg [8*MAX_PATH-1:0] path;

//@CHANGES

  function [63:0] get(input [31:0] port);
    case (port)
//@GET
      default: get = 64'bx;
    endcase
  endfunction

  // Lets combinational logic follow the inputs without any time going by: a non-blocking
  // assignment comes after everything that is going on. Twice, for logic that uses them itself.
  task settle;
    if (stale) begin
      repeat (2) begin
        later <= ~later;
        @(later);
      end
      stale = 1'b0;
    end
  endtask

  task observe;
    begin
      if (changed) begin
        changed = 1'b0;
        for (i = 0; i < PORTS; i = i + 1) begin
          if (watched[i]) begin
            seen = get(i);
            if (fresh[i] || seen !== last[i]) begin
              last[i] = seen;
              fresh[i] = 1'b0;
              $write("\n\001e %0h %0h %0h\n", clocks, i, seen);
            end
          end
        end
      end
      if (|(bits & enables) === 1'b1) begin
        for (i = 0; i < lists; i = i + 1) begin
          if (bits[list_valid[i]] === 1'b1) begin
            $write("\n\001s %0h %0h", clocks, i);
            for (j = 0; j < list_length[i]; j = j + 1)
              $write(" %0h", get(list_port[i*MAX_LIST_PORTS+j]));
            $write("\n");
          end
        end
      end
    end
  endtask

  // One cycle. The delay before the edge lets everything settle.
  task run_clock;
    begin
      #5;
      observe;
      clock = 1'b1;
      #5;
      clock = 1'b0;
      stale = 1'b1;
      clocks = clocks + 1;
      if (clocks % ALIVE == 0) begin
        $write("\n\001h\n");
        $fflush;
      end
    end
  endtask

  task read_path;
    begin
      path = 0;
      command = $fgetc(STDIN);
      while (command == " ") command = $fgetc(STDIN);
      while (command != "\n" && command != -1) begin
        path = {path[8*MAX_PATH-9:0], command[7:0]};
        command = $fgetc(STDIN);
      end
    end
  endtask

  initial begin
    clock = 1'b0;
//@ZERO
    watched = 0;
    fresh = 0;
    changed = 1'b0;
    enables = 0;
    lists = 0;
    clocks = 0;
    stale = 1'b1;
    later = 1'b0;
    command = $fgetc(STDIN);
    while (command != -1) begin
      case (command)
        "p": begin
          got = $fscanf(STDIN, "%h %h", number, value);
          case (number)
//@POKE
            default: ;
          endcase
          stale = 1'b1;
        end
        "s": begin
          got = $fscanf(STDIN, "%h", max);
          for (done = 0; done < max; done = done + 1) run_clock;
        end
        "u": begin
          got = $fscanf(STDIN, "%h %h %h", number, value, max);
          done = 0;
          settle;
          while (done < max && get(number) !== value) begin
            run_clock;
            settle;
            done = done + 1;
          end
          $write("\n\001u %0h %0d\n", done, get(number) === value);
        end
        "g": begin
          got = $fscanf(STDIN, "%h", number);
          settle;
          $write("\n\001v %0h\n", get(number));
        end
        "w": begin
          got = $fscanf(STDIN, "%h", number);
          watched[number] = 1'b1;
          fresh[number] = 1'b1;
          changed = 1'b1;
        end
        "m": begin
          got = $fscanf(STDIN, "%h %h", number, length);
          list_valid[lists] = number;
          list_length[lists] = length;
          enables[number] = 1'b1;
          for (i = 0; i < list_length[lists]; i = i + 1) begin
            got = $fscanf(STDIN, "%h", number);
            list_port[lists*MAX_LIST_PORTS+i] = number;
          end
          lists = lists + 1;
        end
        "d": begin
          read_path;
          $dumpfile(path);
          $dumpvars(0, dut);
        end
        "D": begin
          settle;
          $dumpoff;
          $dumpflush;
        end
        "f": begin
          $write("\n\001f\n");
          $fflush;
        end
        default: ;
      endcase
      command = $fgetc(STDIN);
    end
    $finish;
  end
endmodule
