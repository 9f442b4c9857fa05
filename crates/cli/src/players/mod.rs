//! Players on the command line: their parser, and their list and keys in help texts.

pub mod keys;
mod simulated;

use duoforge_players::PlayerSpec;

use keys::Kind;
pub use simulated::read;

/// Maximum number of columns of a help text.
const WIDTH: usize = 100;

/// Column in which the descriptions of [`list`] begin.
const COLUMN: usize = 31;

/// Kinds of players: how they are written, and what they are. This table is the only source of help
/// texts, of the help of errors and of the list in `docs/guide.md`.
const PLAYERS: [(&str, &str); 21] = [
    (
        "/dev/ttyUSB0, serial:PATH",
        "device at a serial port (115200 baud, 8N1) or at the slave of a pseudo-terminal; a path without \
         serial: begins with /, ./ or ../",
    ),
    (
        "usb:SERIAL, usb:VVVV:PPPP",
        "device at the serial port with this USB serial number, or vendor and product id",
    ),
    (
        "NAME",
        "profile: the table [NAME] of the profiles, with device = \"...\" and optionally baud = \
         115200, team = \"AA\", version = \"1.0\", limit = \"1s\", reset = \"20s\", reconnect = \"60s\"",
    ),
    (
        "pty, pty:PATH",
        "device that opens the new pseudo-terminal, which has a symbolic link at PATH",
    ),
    ("tcp:HOST:PORT", "device that listens at this address"),
    (
        "tcp-listen:[HOST:]PORT",
        "device that connects to this port",
    ),
    (
        "sim, sim:BACKEND",
        "pattern player in hardware simulation: verilator (default), icarus or rust",
    ),
    (
        "sim:search:KEY=VALUE,...",
        "search player in hardware simulation, as in sim:search:lanes=1,sims=200 or \
         sim:icarus:search; default: lanes=4,nodes=511,children=32,expand_threshold=240,ms=880, \
         with the tree in block RAM",
    ),
    (
        "sim:verilog=DIR,top=NAME",
        "player in Verilog of a contestant, in hardware simulation, with clock_hz=50000000 as the \
         default clock",
    ),
    ("twin", "bit-exact model of the pattern player"),
    ("pattern", "pattern player in software"),
    (
        "search, search:KEY=VALUE,...",
        "twin of the search player, as in search:sims=20000; default: the parameters of \
         sim:search and sims=177000; the time limit applies only to a search that ends by ms",
    ),
    (
        "engine, engine:KEY=VALUE,...",
        "search for processors, as in engine:level=3 or engine:ms=900,threads=2,memory=512",
    ),
    (
        "random, random:SEED",
        "player that chooses any legal placement",
    ),
    (
        "greedy, greedy:SEED",
        "player that chooses the largest tile, and of its placements one with the most corner \
         points after it",
    ),
    (
        "maxn, maxn:KEY=VALUE,...",
        "max^n search for every variant, as in maxn:level=3 (levels 1 to 6) or maxn:ms=900; default: \
         one second",
    ),
    (
        "sample:1, sample:2",
        "deterministic players of the contest's own host",
    ),
    (
        "gtp:COMMAND LINE",
        "engine of the Go Text Protocol with its options, as in \"gtp:pentobi-gtp --level 5 \
         --nobook --noresign --seed 1\"",
    ),
    (
        "bot:COMMAND LINE",
        "text bot, as in \"bot:python3 bot.py\" or \"bot:timebank=5s,memory=512:./bot\", with the \
         keys timebank (default 10s), move_time (500ms), memory (4096, in MiB), cpu and processes",
    ),
    (
        "exec:COMMAND LINE",
        "program that speaks the contest's protocol on standard input and output; if it ends, its \
         last lines on standard error are shown",
    ),
    ("human", "person at this terminal, without a time limit"),
];

/// Long help of the option `--player` of commands that take a hardware player.
pub const HARDWARE_PLAYER: &str = "\
Hardware player: pattern, search or search:KEY=VALUE,...

Keys of a search: lanes (1, 2 or 4 playout cores), nodes (up to 1024, or 16383 with an SDRAM), \
lines (nodes in block RAM, with an SDRAM), sims, ms and others; `duoforge players sim` lists all \
keys. A search ends at the first of the limits sims and ms, but \
`duoforge sim` ignores ms if sims is given; on the slow clock of a simulated device few \
simulations fit into ms. Default: lanes=4,nodes=511,children=32,expand_threshold=240,ms=880, with \
the tree in block RAM";

/// Long help of a contestant's player among the hardware players.
pub const VERILOG_PLAYER: &str = "\
verilog=DIR,top=NAME is a player in Verilog: the module NAME of the sources in DIR, with the inputs \
clock, reset (active high) and rx and the output tx. The sources are the files that DIR/NAME.f \
lists, or all files .v and .sv except test benches. clock_hz=HZ is the clock for which the design \
is made (default 50000000); the team code is the design's.";

/// Parses a player.
pub fn player(text: &str) -> Result<PlayerSpec, String> {
    let spec = read(text);
    spec.map_err(|error| format!("{error}\n\n{}", names()))
}

/// Last line of [`list`].
const KEYS: &str = "\
Keys and their ranges: duoforge players search, duoforge players engine, duoforge players sim";

/// List of all players with their descriptions, for the long help of commands.
pub fn list() -> String {
    format!("{}\n\n{KEYS}", entries(|_| true))
}

/// List of the forms of a player with settings.
pub fn list_of(kind: Kind) -> String {
    entries(|forms| forms.starts_with(kind.word()))
}

/// List of the players whose forms are selected.
fn entries(selects: impl Fn(&str) -> bool) -> String {
    let mut lines = vec!["Players:".to_owned()];
    for (forms, about) in PLAYERS.into_iter().filter(|(forms, _)| selects(forms)) {
        let mut head = format!("  {forms}");
        for part in wrapped(about, WIDTH - COLUMN) {
            lines.push(format!("{head:COLUMN$}{part}"));
            head.clear();
        }
    }
    lines.join("\n")
}

/// Names of all players without descriptions, for the help of errors.
pub fn names() -> String {
    let forms = PLAYERS.map(|(forms, _)| forms).join(", ");
    wrapped(&format!("players: {forms}"), WIDTH).join("\n")
}

/// Lines of a text, broken at blanks.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_wrapped_and_names_every_player() {
        let list = list();
        for line in list.lines().chain(names().lines()) {
            assert!(line.len() <= WIDTH, "{line}");
        }
        for (forms, _) in PLAYERS {
            assert!(forms.len() + 3 <= COLUMN, "{forms}");
            assert!(list.contains(forms), "{forms}");
        }
    }

    #[test]
    fn the_guide_contains_the_list() {
        let guide = include_str!("../../../../docs/guide.md");
        let list = list();
        assert!(
            guide.contains(&list),
            "docs/guide.md differs from this list:\n{list}"
        );
    }

    #[test]
    fn listed_words_are_players() {
        let forms = PLAYERS.iter().flat_map(|(forms, _)| forms.split(", "));
        for form in forms.filter(|form| !form.contains(char::is_uppercase)) {
            assert!(player(form).is_ok(), "{form}");
        }
    }
}
