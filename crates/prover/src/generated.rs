//! Verilog generated from the types of the rules, independent of the hardware's code.

use std::fmt::Write as _;

use duoforge_rules::{Cell, Orientation, Placement, Rotation, Tile};

/// Returns the names of all generated files.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// Returns the text of a generated file, or `None` if no file has this name.
pub fn text(name: &str) -> Option<String> {
    let (_, write) = FILES.iter().find(|(known, _)| *known == name)?;
    Some(write())
}

/// Function that returns the text of a file.
type Write = fn() -> String;

/// All files by name.
const FILES: &[(&str, Write)] = &[
    ("codes", codes),
    ("legal_wires", legal_wires),
    ("on_board", on_board),
    ("orientations", orientations),
    ("placements", placements),
];

/// Returns macros for a property about a pattern player `dut`. `LEGAL_WIRES` declares the legal
/// columns at the outputs of its generator and at the inputs of its scan. `LEGAL_JOINED` is true if
/// both are equal for every orientation.
fn legal_wires() -> String {
    let names = |index| {
        [
            format!("\\dut.generator$legal${index} "),
            format!("\\dut.scan$legal${index} "),
        ]
    };
    let declared = (0..Orientation::COUNT).map(|index| names(index).join(", "));
    let joined = (0..Orientation::COUNT).map(|index| names(index).join("== "));
    let (declared, joined): (Vec<_>, Vec<_>) = (declared.collect(), joined.collect());
    format!(
        "`define LEGAL_WIRES (* hierconn *) wire [13:0] {};\n`define LEGAL_JOINED ({})\n",
        declared.join(", "),
        joined.join("&& ")
    )
}

/// Returns module `on_board(orientation, x, y)`: `yes` is high if all cells of the placement are on
/// the board.
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

/// Returns module `codes`: the cells of a tile after a rotation about its centre, and the cells of
/// an orientation.
///
/// Each set of cells lies in a 5x5 box with cell `(x, y)` at bit `5 * y + x`. `back_x` and `back_y`
/// are the distances from the box's first column and row to the centre.
fn codes() -> String {
    let box_of = |cells: &mut dyn Iterator<Item = (i8, i8)>| {
        let bits = cells.map(|(x, y)| 1_u32 << (5 * y + x));
        bits.fold(0, |mask, bit| mask | bit)
    };
    let mut turned = String::new();
    for tile in Tile::ALL {
        for rotation in Rotation::ALL {
            let cells = tile.base_cells().iter();
            let cells: Vec<_> = cells.map(|&(dx, dy)| rotation.apply(dx, dy)).collect();
            let west = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
            let north = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
            let mask = box_of(&mut cells.iter().map(|&(x, y)| (x - west, y - north)));
            let index = 8 * tile.index() + rotation.index();
            let (west, north) = (-west, -north);
            writeln!(
                turned,
                "            {index}: begin cells = {mask}; back_x = {west}; back_y = {north}; end"
            )
            .expect("a string");
        }
    }
    let mut shapes = String::new();
    for orientation in Orientation::all() {
        let cells = orientation.cells().iter();
        let mask = box_of(&mut cells.map(|cell| (cell.x as i8, cell.y as i8)));
        let index = orientation.index();
        writeln!(shapes, "            {index}: orientation_cells = {mask};").expect("a string");
    }
    format!(
        "\
module codes(
    input [4:0] tile,
    input [2:0] rotation,
    input [6:0] orientation,
    output reg [24:0] cells,
    output reg [2:0] back_x,
    output reg [2:0] back_y,
    output reg [24:0] orientation_cells
);
    always @* begin
        case ({{tile, rotation}})
{turned}            default: begin cells = 0; back_x = 0; back_y = 0; end
        endcase
        case (orientation)
{shapes}            default: orientation_cells = 0;
        endcase
    end
endmodule
"
    )
}

/// Returns module `orientations(orientation, footprint, tile)`: footprint and tile of an
/// orientation.
///
/// The footprint is a 7x7 box with cell `(x, y)` at bit `7 * y + x`; the bounding box starts at row
/// 1, column 1. Both outputs are zero for a number that is not an orientation.
fn orientations() -> String {
    let mut cases = String::new();
    for orientation in Orientation::all() {
        let cells = orientation.cells().iter();
        let mask = cells.fold(0_u64, |mask, cell| {
            mask | 1 << (7 * (cell.y + 1) + cell.x + 1)
        });
        let (index, tile) = (orientation.index(), orientation.tile().index());
        writeln!(
            cases,
            "            {index}: begin footprint = 49'd{mask}; tile = {tile}; end"
        )
        .expect("a string");
    }
    format!(
        "\
module orientations(input [6:0] orientation, output reg [48:0] footprint, output reg [4:0] tile);
    always @*
        case (orientation)
{cases}            default: begin footprint = 0; tile = 0; end
        endcase
endmodule
"
    )
}

/// Returns module `placements(allowed, corner, tiles, legal)`, the legality of all placements of a
/// row. A placement is legal exactly if its tile is left, all its cells are on the board and
/// allowed, and one of them is a corner point.
///
/// `allowed` and `corner` are the five rows from the anchor's row on, with cell `(x, y)` at bit
/// `14 * y + x`. Bit `14 * o + x` of `legal` is orientation `o` anchored in column `x`.
fn placements() -> String {
    let mut lines = String::new();
    for orientation in Orientation::all() {
        for x in 0..14 {
            let placement = Placement::new(orientation, x, 0);
            let cells: Vec<_> = placement.cells().collect();
            let value = if cells.iter().any(|cell| cell.x >= 14) {
                "0".into()
            } else {
                let bits = |map: &str, operator: &str| {
                    let bit = |cell: &Cell| format!("{map}[{}]", 14 * cell.y + cell.x);
                    let bits: Vec<_> = cells.iter().map(bit).collect();
                    bits.join(operator)
                };
                let tile = orientation.tile().index();
                let (all, any) = (bits("allowed", " & "), bits("corner", " | "));
                format!("tiles[{tile}] & {all} & ({any})")
            };
            let index = 14 * orientation.index() + usize::from(x);
            writeln!(lines, "    assign legal[{index}] = {value};").expect("a string");
        }
    }
    format!(
        "\
module placements(
    input [69:0] allowed,
    input [69:0] corner,
    input [20:0] tiles,
    output [1273:0] legal
);
{lines}endmodule
"
    )
}
