//! Blocks that properties can name.

use duoforge_hdl::controller::Controller;
use duoforge_hdl::generator::Generator;
use duoforge_hdl::generator::legality::Legality;
use duoforge_hdl::generator::policy_maps::PolicyMaps;
use duoforge_hdl::generator::store::Store;
use duoforge_hdl::generator::window::Window;
use duoforge_hdl::line::decoder::Decoder;
use duoforge_hdl::line::encoder::Encoder;
use duoforge_hdl::line::parser::HostCodeParser;
use duoforge_hdl::line::uart_rx::UartRx;
use duoforge_hdl::line::uart_tx::UartTx;
use duoforge_hdl::memory::node_cache::NodeCache;
use duoforge_hdl::memory::sdram::controller::SdramController;
use duoforge_hdl::memory::sdram::self_test::SelfTest;
use duoforge_hdl::memory::sdram::timing::SdramTiming;
use duoforge_hdl::parameters::PlayerParameters;
use duoforge_hdl::pattern::player::PatternPlayer;
use duoforge_hdl::pattern::policy_scorer::PolicyScorer;
use duoforge_hdl::pattern::scan::Scan;
use duoforge_hdl::search::backup::Backup;
use duoforge_hdl::search::expansion::expander::Expander;
use duoforge_hdl::search::expansion::placement_scan::PlacementScan;
use duoforge_hdl::search::expansion::priors::Priors;
use duoforge_hdl::search::node_loader::NodeLoader;
use duoforge_hdl::search::opening_book::OpeningBook;
use duoforge_hdl::search::placement_check::PlacementCheck;
use duoforge_hdl::search::player::SearchPlayer;
use duoforge_hdl::search::playout::lane::Lane;
use duoforge_hdl::search::position_ring::PositionRing;
use duoforge_hdl::search::results::Results;
use duoforge_hdl::search::searcher::{ClockedSearchConfig, Searcher};
use duoforge_hdl::search::settings::SearchConfig;
use duoforge_hdl::search::tree::amaf_table::AmafTable;
use duoforge_hdl::search::tree::{LINE_WORDS, Tree};
use duoforge_hdl::verilog::emit::on_large_stack;
use duoforge_hdl::verilog::{self, EmitError, Module};
use duoforge_twin::Policy;
use duoforge_twin::book::Book;
use duoforge_twin::search::Formulas;
use rust_hdl_core::prelude::Block;

/// Function that emits a block whose top module has the given name.
type Emit = fn(&str) -> Result<Vec<Module>, EmitError>;

/// All blocks by name. A number in a name is a build parameter.
const BLOCKS: &[(&str, Emit)] = &[
    ("backup", |top| emit(Backup::default(), top)),
    ("controller_36mhz", |top| {
        emit(Controller::new(&PlayerParameters::contest(36_000_000)), top)
    }),
    ("controller_50mhz", |top| {
        emit(Controller::new(&PlayerParameters::contest(50_000_000)), top)
    }),
    ("controller_small", |top| {
        emit(Controller::new(&small()), top)
    }),
    ("controller_tiny", |top| emit(Controller::new(&tiny()), top)),
    ("decoder", |top| emit(Decoder::default(), top)),
    ("encoder", |top| emit(Encoder::default(), top)),
    ("expander", |top| {
        emit(Expander::new(&large().parameters), top)
    }),
    ("position_ring", |top| emit(PositionRing::default(), top)),
    ("generator", |top| emit(Generator::default(), top)),
    ("legality", |top| emit(Legality::default(), top)),
    ("lane", |top| emit(Lane::new(&large().parameters, 1), top)),
    ("parser_4", |top| emit(HostCodeParser::new(4), top)),
    ("parser_3600000", |top| {
        emit(HostCodeParser::new(3_600_000), top)
    }),
    ("parser_5000000", |top| {
        emit(HostCodeParser::new(5_000_000), top)
    }),
    ("policy_maps", |top| emit(PolicyMaps::default(), top)),
    ("amaf_table", |top| emit(AmafTable::default(), top)),
    ("opening_book_small", |top| {
        let book = Book::parse(LINES).expect("legal lines");
        emit(OpeningBook::new(Some(&book)), top)
    }),
    ("priors", |top| emit(Priors::new(&large().parameters), top)),
    ("player_small", |top| {
        emit(PatternPlayer::new(&small()), top)
    }),
    ("node_cache_4", |top| emit(NodeCache::new(4), top)),
    ("node_cache_512", |top| emit(NodeCache::new(512), top)),
    ("results", |top| {
        emit(Results::new(&large().parameters), top)
    }),
    ("scan", |top| emit(Scan::default(), top)),
    ("self_test", |top| emit(SelfTest::default(), top)),
    ("sdram_4", |top| {
        let timing = SdramTiming {
            power_up: 60,
            refresh_interval: 30,
            ..sdram()
        };
        emit(controller(4, &timing), top)
    }),
    ("sdram_226", |top| {
        emit(controller(LINE_WORDS, &sdram()), top)
    }),
    ("policy_scorer", |top| {
        emit(PolicyScorer::new(&Policy::default()), top)
    }),
    ("search_player_small", |top| {
        let settings = ClockedSearchConfig {
            ponder: true,
            book: None,
            ..little()
        };
        emit(SearchPlayer::<1>::new(&small(), &settings), top)
    }),
    ("node_loader", |top| emit(NodeLoader::new(None), top)),
    ("node_loader_512", |top| {
        emit(NodeLoader::new(Some(512)), top)
    }),
    ("searcher_1", |top| emit(Searcher::<1>::new(&little()), top)),
    ("searcher_2", |top| emit(Searcher::<2>::new(&middle()), top)),
    ("searcher_4", |top| emit(Searcher::<4>::new(&large()), top)),
    ("searcher_bonus", |top| {
        emit(Searcher::<2>::new(&with_bonus()), top)
    }),
    ("searcher_sdram", |top| {
        emit(Searcher::<4>::new(&largest()), top)
    }),
    ("store", |top| emit(Store::default(), top)),
    ("placement_check", |top| {
        emit(PlacementCheck::default(), top)
    }),
    ("placement_scan", |top| emit(PlacementScan::default(), top)),
    ("tree_511", |top| emit(Tree::new(&large().parameters), top)),
    ("uart_rx_8", |top| emit(UartRx::new(8), top)),
    ("uart_rx_9", |top| emit(UartRx::new(9), top)),
    ("uart_rx_16", |top| emit(UartRx::new(16), top)),
    ("uart_rx_313", |top| emit(UartRx::new(313), top)),
    ("uart_rx_434", |top| emit(UartRx::new(434), top)),
    ("uart_tx_8", |top| emit(UartTx::new(8), top)),
    ("uart_tx_313", |top| emit(UartTx::new(313), top)),
    ("uart_tx_434", |top| emit(UartTx::new(434), top)),
    ("window", |top| emit(Window::default(), top)),
];

/// Returns the shortest timing that the serial line allows: 8 cycles per bit, an inter-byte timeout
/// of 200 cycles, a deadline of 400 cycles and a limit of 500 cycles. All digits of the build id
/// differ.
fn small() -> PlayerParameters {
    PlayerParameters {
        clock_hz: 8 * 115_200,
        inter_byte_timeout_cycles: 200,
        deadline_cycles: 400,
        reply_limit_cycles: 500,
        build: "89abcdef".parse().expect("eight digits"),
        ..PlayerParameters::default()
    }
}

/// Returns the small parameters with a deadline and a limit so early that counterexamples past the
/// limit are short.
fn tiny() -> PlayerParameters {
    PlayerParameters {
        deadline_cycles: 4,
        reply_limit_cycles: 6,
        ..small()
    }
}

/// Returns the times of an SDRAM at 50 MHz.
fn sdram() -> SdramTiming {
    SdramTiming::at(50_000_000).expect("the clock is in range")
}

/// Returns a controller of lines of `words` words.
fn controller(words: usize, timing: &SdramTiming) -> SdramController {
    SdramController::new(words, timing, 0).expect("the lines fit")
}

/// Returns the settings of the default search player: four cores, and all nodes in block RAM.
fn large() -> ClockedSearchConfig {
    SearchConfig::default().on_clock(50_000_000)
}

/// Returns the settings of the largest search player among the targets, whose tree is in an SDRAM.
fn largest() -> ClockedSearchConfig {
    ships(include_str!("../../../hdl/targets/ulx3s-85f.toml"))
}

/// Returns the settings of the medium search player among the targets.
fn middle() -> ClockedSearchConfig {
    ships(include_str!("../../../hdl/targets/ulx3s-45f.toml"))
}

/// Lines of a book with keys of every length.
const LINES: &str = "66t3\n56u0 aau0\n56u0 aau0 88r0\n56u0 aau0 88r0 a7t4";

/// Returns the settings of the smallest search player among the targets.
fn little() -> ClockedSearchConfig {
    ships(include_str!("../../../hdl/targets/ulx3s-25f.toml"))
}

/// Returns the medium settings with all formulas that the hardware computes on request.
fn with_bonus() -> ClockedSearchConfig {
    let mut settings = middle();
    settings.parameters.formulas = Formulas {
        margin_bonus: 17_000,
        length_bonus: 4_500,
        final_wins: true,
        ..settings.parameters.formulas
    };
    settings
}

/// Returns the settings of the search player in a target file, at the clock that all these targets
/// share.
fn ships(board: &str) -> ClockedSearchConfig {
    let line = (board.lines()).find_map(|line| line.strip_prefix("player = \"search:"));
    let text = line.expect("it ships a search").trim_end_matches('"');
    let searching: SearchConfig = text.parse().expect("the search can be built");
    searching.on_clock(50_000_000)
}

fn emit(mut block: impl Block, top: &str) -> Result<Vec<Module>, EmitError> {
    block.connect_all();
    let modules = verilog::modules(&block, top)?;
    Ok(modules.iter().map(|m| prefixed(m, &modules, top)).collect())
}

/// Returns the names of all blocks.
pub fn names() -> impl Iterator<Item = &'static str> {
    BLOCKS.iter().map(|(name, _)| *name)
}

/// Returns the modules of a block, top module first, or `None` if no block has this name.
///
/// The top module has the block's name. The modules inside it are called `<block>_<module>`, so
/// that several blocks can be read together.
pub fn modules(name: &str) -> Option<Result<Vec<Module>, EmitError>> {
    let (name, emit) = BLOCKS.iter().find(|(known, _)| *known == name)?;
    Some(on_large_stack(|| emit(name)))
}

/// Returns the module with the block's name as a prefix of the module's name and of the modules
/// that it instantiates.
fn prefixed(module: &Module, all: &[Module], block: &str) -> Module {
    let inner = |name: &str| name != block && all.iter().any(|module| module.name == name);
    let name = if inner(&module.name) {
        format!("{block}_{}", module.name)
    } else {
        module.name.clone()
    };
    let rename = |line: &str| {
        let trimmed = line.trim_start();
        let indent = &line[..line.len() - trimmed.len()];
        if let Some(rest) = trimmed.strip_prefix(&format!("module {}(", module.name)) {
            return format!("module {name}({rest}\n");
        }
        match trimmed.split_once(' ') {
            Some((kind, rest)) if rest.ends_with('(') && inner(kind) => {
                format!("{indent}{block}_{kind} {rest}\n")
            }
            _ => format!("{line}\n"),
        }
    };
    Module {
        text: module.text.lines().map(rename).collect(),
        name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct() {
        for (i, name) in names().enumerate() {
            assert!(names().skip(i + 1).all(|other| other != name), "{name}");
        }
    }

    #[test]
    fn modules_inside_a_block_carry_its_name() {
        let modules = modules("decoder")
            .expect("there is one")
            .expect("it is emitted");
        assert_eq!(modules[0].name, "decoder");
        assert!(modules[0].text.starts_with("module decoder(code"));
        for module in &modules[1..] {
            assert!(module.name.starts_with("decoder_"), "{}", module.name);
            assert!(module.text.starts_with(&format!("module {}(", module.name)));
        }
        let shapes = "    decoder_shapes shapes(\n";
        assert!(modules[0].text.contains(shapes), "{}", modules[0].text);
    }

    #[test]
    fn there_is_no_block_of_an_unknown_name() {
        assert!(modules("nothing").is_none());
    }
}
