//! Outcomes of the engines: proved, refuted, undecided, out of time, error.

mod common;

use common::{Property, verdict};

/// Counter modulo 10.
const COUNTER: &str = "
module proof(input clock, input step);
    reg [3:0] count = 0;
    always @(posedge clock) if (step) count <= count == 9 ? 0 : count + 1;
    always @* assert (BOUND);
endmodule
";

fn counter(bound: &str, engine: &str, mode: &str) -> Property {
    Property {
        verilog: COUNTER.replace("BOUND", bound),
        engine: engine.into(),
        mode: mode.into(),
        depth: 4,
        limit: 600,
    }
}

#[test]
fn an_inductive_bound_is_proved() {
    for engine in ["sat", "smtbmc"] {
        assert_eq!(
            verdict(&counter("count < 10", engine, "induction")).0,
            "proved"
        );
    }
}

#[test]
fn a_wrong_bound_is_refuted_with_the_way_to_it() {
    for engine in ["sat", "smtbmc"] {
        let (verdict, text) = verdict(&counter("count < 2", engine, "bounded"));
        assert_eq!(verdict, "refuted");
        let row = text.lines().find(|line| line.trim().starts_with("step"));
        assert!(
            row.is_some_and(|row| row.matches('1').count() >= 2),
            "{text}"
        );
    }
}

#[test]
fn a_bound_that_holds_but_does_not_follow_is_undecided() {
    for engine in ["sat", "smtbmc"] {
        assert_eq!(
            verdict(&counter("count != 15", engine, "induction")).0,
            "undecided"
        );
    }
}

#[test]
fn any_state_is_more_than_those_in_reach() {
    for engine in ["sat", "smtbmc"] {
        let (verdict, _) = verdict(&counter("count < 10", engine, "combinational"));
        assert_eq!(verdict, "refuted");
    }
}

#[test]
fn registers_that_power_up_equal_differ_in_any_state() {
    let body = "module proof(input clock, input a); reg b = 0, c = 0, d = 0; always @(posedge clock) \
                begin b <= a; c <= a; d <= d; end always @* assert (CLAIM); endmodule";
    for claim in ["b == c", "!d"] {
        for engine in ["sat", "smtbmc"] {
            for (mode, expected) in [("combinational", "refuted"), ("induction", "proved")] {
                let property = Property {
                    verilog: body.replace("CLAIM", claim),
                    ..counter("", engine, mode)
                };
                assert_eq!(verdict(&property).0, expected, "{claim} {engine} {mode}");
            }
        }
    }
}

#[test]
fn contradicting_assumptions_are_an_error() {
    let body = "module proof(input a); always @* begin assume (a); assume (!a); assert (a); end \
                endmodule";
    for engine in ["sat", "smtbmc"] {
        let property = Property {
            verilog: body.into(),
            ..counter("", engine, "combinational")
        };
        let (verdict, text) = verdict(&property);
        assert_eq!(verdict, "error");
        assert!(text.contains("contradict"), "{text}");
    }
}

#[test]
fn properties_without_an_assertion_and_misspelt_signals_are_errors() {
    for body in [
        "module proof(input a); always @* assume (a); endmodule",
        "module proof(input a); (* hierconn *) wire \\dut.b ; always @* assert (a || \\dut.b == \
         \\dut.b ); endmodule",
        "module proof(input a); always @* assert (a) endmodule",
    ] {
        let property = Property {
            verilog: body.into(),
            ..counter("", "sat", "combinational")
        };
        assert_eq!(verdict(&property).0, "error", "{body}");
    }
}

#[test]
fn undefined_values_may_be_anything() {
    let body = "module proof(input a); wire b = 1'bx; always @* assert (b == BIT); endmodule";
    for bit in ["1'b0", "1'b1"] {
        let property = Property {
            verilog: body.replace("BIT", bit),
            ..counter("", "sat", "combinational")
        };
        assert_eq!(verdict(&property).0, "refuted", "{bit}");
    }
}

#[test]
fn hard_questions_end_with_their_limit() {
    let body = "module proof(input [31:0] a, input [31:0] b); wire [63:0] p = a * b; always @* \
                assert (p != 64'd9223372006484770829 || a < 2 || b < 2); endmodule";
    let property = Property {
        verilog: body.into(),
        limit: 3,
        ..counter("", "sat", "combinational")
    };
    assert_eq!(verdict(&property).0, "out of time");
}
