//! Verilog that is written from the rules' types, never from the hardware's.

use std::fmt::Write as _;

use duoforge_rules::Orientation;

/// The names of all generated files.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// The text of a generated file, or `None` if there is none of that name.
pub fn text(name: &str) -> Option<String> {
    let (_, write) = FILES.iter().find(|(known, _)| *known == name)?;
    Some(write())
}

/// Writes a file.
type Write = fn() -> String;

/// Every file.
const FILES: &[(&str, Write)] = &[("on_board", on_board)];

/// `on_board(orientation, x, y)`: the placement exists, that is, all its cells are on the board.
fn on_board() -> String {
    let mut cases = String::new();
    for orientation in Orientation::all() {
        let cells = orientation.cells().iter();
        let fits = cells.map(|c| format!("x + {} < 14 && y + {} < 14", c.x, c.y));
        let fits: Vec<_> = fits.collect();
        let index = orientation.index();
        writeln!(cases, "            {index}: yes = {};", fits.join(" && ")).expect("a string");
    }
    format!(
        "\
module on_board(input [6:0] orientation, input [3:0] x, input [3:0] y, output reg yes);
    always @*
        case (orientation)
{cases}            default: yes = 0;
        endcase
endmodule
"
    )
}
