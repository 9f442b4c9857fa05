// From every state of its registers the controller becomes ready when nothing is requested: a count of what
// is left goes down with every clock. One clock from any state is all that has to be looked at, so next
// states are read at the registers' inputs. A hold leads to the state after power-up, without a command.
module proof(input wire clock, input wire hold, input wire write, input wire [15:0] line, input wire [15:0] word,
    input wire [15:0] data_in);
    wire ready;
    `BLOCK dut(.clock, .hold, .request(1'b0), .write, .line, .ready, .word, .data_in);

    (* hierconn *) wire [3:0] \dut.left$d , \dut.left$q , \dut.command$d ;
    (* hierconn *) wire [15:0] \dut.elapsed$d , \dut.elapsed$q ;
    (* hierconn *) wire [2:0] \dut.state$d , \dut.state$q , \dut.refreshes$d , \dut.refreshes$q ;
    (* hierconn *) wire [7:0] \dut.next_word$d , \dut.next_word$q , \dut.reads$d , \dut.reads$q ;
    localparam POWER_UP = 0, FIRST = 1, MODE = 2, IDLE = 3, TRANSFER = 4, CLOSE = 5;
    // Clocks after a refresh from which the next one precedes requests.
    localparam [16:0] DUE = `INTERVAL - (2 + `WORDS - 1 + 2 + 2);

    function automatic [16:0] rest(input [2:0] state, input [3:0] left, input [16:0] elapsed,
        input [2:0] refreshes, input [7:0] next_word, input [7:0] reads);
        reg [16:0] pending, wait_for;
        reg [7:0] to_read;
        begin
            pending = reads[0] ? 3 : reads[1] ? 2 : reads[2] ? 1 : 0;
            wait_for = left > pending ? left : pending;
            to_read = `WORDS - 1 - next_word;
            case (state)
                IDLE: rest = wait_for + (elapsed + wait_for >= DUE ? 4 : 0);
                CLOSE: rest = 40 + left;
                TRANSFER: rest = 60 + left + to_read;
                MODE: rest = 500 + left;
                FIRST: rest = 520 + 20 * (8 - refreshes) + left;
                POWER_UP: rest = 1000 + (elapsed < `POWER_UP ? `POWER_UP - elapsed : 0);
                default: rest = 1001 + `POWER_UP;
            endcase
        end
    endfunction
    wire [16:0] now = rest(\dut.state$q , \dut.left$q , \dut.elapsed$q , \dut.refreshes$q , \dut.next_word$q , \dut.reads$q );
    wire [16:0] next = rest(\dut.state$d , \dut.left$d , \dut.elapsed$d , \dut.refreshes$d , \dut.next_word$d , \dut.reads$d );

    always @(*) begin
        assert (ready == (now == 0));
        if (hold) assert (\dut.state$d == POWER_UP && \dut.elapsed$d == 0 && \dut.command$d == 0);
        else if (!ready) assert (next < now);
        assert (now <= 1001 + `POWER_UP);
        if (\dut.state$q == IDLE || \dut.state$q == TRANSFER || \dut.state$q == CLOSE) assert (now <= 330);
    end
endmodule
