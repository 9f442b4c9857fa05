//! Simulated devices among the players.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use duoforge_links::Link;
use duoforge_players::{DeviceMaker, PlayerError, PlayerSpec};
use duoforge_sim::device::{DeviceSpec, DeviceSpecError};

/// Maker of a simulated device.
#[derive(Debug)]
struct Simulated(DeviceSpec);

impl fmt::Display for Simulated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl DeviceMaker for Simulated {
    fn power_up(&self) -> Result<Box<dyn Link>, Box<dyn Error + Send + Sync>> {
        Ok(Box::new(self.0.power_up()?))
    }

    fn repeats(&self) -> bool {
        self.0.repeats()
    }
}

/// Parses the name of a player: a simulated device as in [`DeviceSpec`], any other as in
/// [`PlayerSpec`].
pub fn read(text: &str) -> Result<PlayerSpec, PlayerError> {
    if text.split(':').next() != Some("sim") {
        return text.parse();
    }
    match text.parse::<DeviceSpec>() {
        Ok(spec) => Ok(PlayerSpec::Made(Arc::new(Simulated(spec)))),
        Err(DeviceSpecError::Unknown(text)) => Err(PlayerError::Unknown(text)),
        Err(error) => Err(PlayerError::Made {
            name: text.to_owned(),
            source: Box::new(error),
        }),
    }
}

#[cfg(test)]
mod tests {
    use duoforge_arbitrary::Inputs;
    use duoforge_tournament::Plan;

    use super::*;

    #[test]
    fn simulated_players_are_parsed_and_printed_as_all_others() {
        for text in [
            "twin",
            "random:4",
            "sim:icarus",
            "sim:rust:search:lanes=1",
            "sim:icarus:verilog=rtl,top=player",
        ] {
            assert_eq!(read(text).unwrap().to_string(), text);
        }
        let sim = read("sim").unwrap();
        assert_eq!(sim, read("sim:verilator").unwrap());
        assert_ne!(sim, read("sim:rust").unwrap());
        // Columns: name, repeatable.
        for (text, repeats) in [("sim", true), ("sim:search:sims=5", false)] {
            let spec = read(text).unwrap();
            let seen = (spec.repeats(), spec.is_single(), spec.takes_openings());
            assert_eq!(seen, (repeats, false, false), "{text}");
            assert!(matches!(spec.mover(), Err(PlayerError::NoMover(_))));
        }
    }

    #[test]
    fn broken_simulated_players_are_refused() {
        let error = |text: &str| read(text).unwrap_err();
        for text in ["simulator", "sim:rust:x"] {
            assert!(matches!(error(text), PlayerError::Unknown(_)), "{text}");
        }
        for (text, part) in [
            ("sim:vcs", "'vcs' is not a simulator"),
            ("sim:search:lanes=9", "bad search: lanes=9"),
            ("sim:verilog=rtl", "bad Verilog player: top=NAME is missing"),
        ] {
            let error = error(text);
            assert!(matches!(error, PlayerError::Made { .. }), "{text}");
            let message = error.to_string();
            assert!(
                message.starts_with(text) && message.contains(part),
                "{message}"
            );
        }
    }

    #[test]
    fn a_plan_with_a_broken_simulated_player_is_refused() {
        let plan = |spec: &str| {
            format!(
                "event = \"E\"\nformat = \"gauntlet\"\n[[player]]\nspec = \"twin\"\n\
                 [[player]]\nname = \"S\"\nspec = \"{spec}\"\n"
            )
        };
        let plan = |spec: &str| Plan::read_with(&plan(spec), read).map_err(|e| e.to_string());
        assert!(plan("sim:icarus").unwrap().players[1].is_repeatable());
        assert!(
            plan("sim:vcs")
                .unwrap_err()
                .starts_with("player 'S': invalid spec 'sim:vcs': ")
        );
    }

    #[test]
    fn whatever_comes_as_a_simulated_player_is_read_or_refused() {
        let inputs = Inputs {
            name: "simulated players",
            pieces: &[
                "sim",
                "verilator",
                "icarus",
                "rust",
                "search",
                "verilog=",
                "top=",
                "clock_hz=",
                ":",
                ",",
                "=",
                "ms",
                "sims",
                "seed",
                "nodes",
                "lanes",
                "children",
                "0",
                "1",
                "99999999999999999999",
                "-1",
                " ",
                "ü",
            ],
            real: &[
                b"sim",
                b"sim:icarus",
                b"sim:search:lanes=1,nodes=63,sims=20",
                b"sim:rust:search:lanes=2",
                b"sim:icarus:verilog=rtl,top=player,clock_hz=1843200",
            ],
        };
        inputs.try_texts(|text| {
            let printed = read(text)?.to_string();
            // The printed form parses to the same player.
            let again = read(&printed).expect("it was printed");
            assert_eq!(again.to_string(), printed);
            Ok::<_, PlayerError>(())
        });
    }
}
