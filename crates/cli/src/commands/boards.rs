//! `duoforge boards`: catalogue of targets.

use duoforge_targets::target::{Active, Role};
use duoforge_targets::{Target, catalogue};

use crate::failure::Result;
use crate::output::{self, Verdict};

/// List the targets of bitstreams and projects
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print the clock, configurations and pins of this target instead
    pub board: Option<String>,
    /// Print one JSON array, or the object of one target
    #[arg(long)]
    pub json: bool,
}

/// Prints the list, or one target.
pub fn run(args: &Args) -> Result<Verdict> {
    if let Some(name) = &args.board {
        let board = catalogue::find(name)?;
        if args.json {
            output::json(&board)?;
        } else {
            show(&board)?;
        }
        return Ok(Verdict::Good);
    }
    let boards = catalogue::all()?;
    if args.json {
        output::json(&boards)?;
        return Ok(Verdict::Good);
    }
    let width = boards.iter().map(|board| board.name.len()).max();
    for board in &boards {
        let tools = if board.tools.is_open() {
            "open tools".to_owned()
        } else {
            format!("project for {}", board.tools.vendor())
        };
        output::line(format!(
            "{:width$}  {} MHz  {tools:19}  {}",
            board.name,
            megahertz(board.clock.player_hz),
            board.title,
            width = width.unwrap_or(0)
        ))?;
    }
    Ok(Verdict::Good)
}

fn megahertz(hertz: u32) -> f64 {
    f64::from(hertz) / 1e6
}

/// Prints one target with its pins.
fn show(board: &Target) -> Result<()> {
    let clock = &board.clock;
    let from = match clock.pll {
        Some(_) => format!("from a crystal of {} MHz", megahertz(clock.crystal_hz)),
        None => "from a crystal".to_owned(),
    };
    output::line(&board.title)?;
    output::line(format!("chip           {}", board.tools))?;
    output::line(format!(
        "clock          {} MHz, {from}",
        megahertz(clock.player_hz)
    ))?;
    for configured in board.configured() {
        let configuration = &configured.configuration;
        output::line(format!("configuration  {}", configuration.name))?;
        output::line(format!("player         {}", configuration.player))?;
        output::line(format!("omitted        {}", configuration.left_out))?;
    }
    for pin in &board.pins {
        let active = match (pin.role, pin.active) {
            (Role::Reset, Active::High) => ", high while pressed",
            (Role::Reset, Active::Low) => ", low while pressed",
            (Role::Light, Active::Low) => ", lit by low",
            _ => "",
        };
        let Some(role) = role(pin.role) else { continue };
        output::line(format!("{:<6}{role:<9}{}{active}", pin.site, pin.about))?;
    }
    Ok(())
}

/// Returns the name of a pin's role; `None` for pins that a user does not connect.
const fn role(role: Role) -> Option<&'static str> {
    match role {
        Role::Clock => Some("clock"),
        Role::Reset => Some("reset"),
        Role::Rx => Some("rx"),
        Role::Tx => Some("tx"),
        Role::Light => Some("light"),
        Role::Hold | Role::Memory => None,
    }
}
