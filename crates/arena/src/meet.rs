//! The handshake before a match: is each player there, and is it the one that is expected?

use std::time::Duration;

use duoforge_protocol::link::{Link, LinkError};
use duoforge_protocol::{Expect, HostCode, Reply, ReplyError, TeamCode, is_blank};

use crate::{Player, Seat, Seats};

/// How long is listened on the other line while one is asked.
const LISTEN: Duration = Duration::from_millis(50);

/// Why two players cannot meet as they are.
#[derive(Debug, thiserror::Error)]
pub enum MeetError {
    /// Nothing was answered to `0`.
    #[error("{seat} ({name}) does not answer 0 within {} s", .limit.as_secs_f64())]
    Silent {
        /// Whose line.
        seat: Seat,
        /// What is at the other end.
        name: String,
        /// How long was waited.
        limit: Duration,
    },
    /// What came are no printable letters, as at a wrong baud rate.
    #[error("{seat} ({name}) answers 0 with '{}', which is framing garbage and no team code", .got.escape_ascii())]
    Garbage {
        /// Whose line.
        seat: Seat,
        /// What is at the other end.
        name: String,
        /// The bytes.
        got: Vec<u8>,
    },
    /// Letters came that are no team code.
    #[error("{seat} ({name}) answers 0 with '{}': {reason}", .got.escape_ascii())]
    Broken {
        /// Whose line.
        seat: Seat,
        /// What is at the other end.
        name: String,
        /// The bytes.
        got: Vec<u8>,
        /// What is wrong with them.
        reason: ReplyError,
    },
    /// The link broke.
    #[error("{seat} ({name}): {source}")]
    Link {
        /// Whose line.
        seat: Seat,
        /// What is at the other end.
        name: String,
        /// How.
        source: LinkError,
    },
    /// One player was asked and the other one's line answered too.
    #[error("{one} and {two} are the same device: when one is asked, both answer")]
    SameDevice {
        /// Player 1.
        one: String,
        /// Player 2.
        two: String,
    },
    /// Each player has the team code that the other one shall have.
    #[error("the players are swapped: {one} is team {first}, and {two} is team {second}")]
    Swapped {
        /// Player 1.
        one: String,
        /// Player 2.
        two: String,
        /// Player 1's team code, which player 2 shall have.
        first: TeamCode,
        /// Player 2's team code, which player 1 shall have.
        second: TeamCode,
    },
    /// A player has another team code than it shall have.
    #[error("{seat} ({name}) is team {got}, and team {expected} is expected there")]
    OtherTeam {
        /// Whose.
        seat: Seat,
        /// What is at the other end.
        name: String,
        /// Its team code.
        got: TeamCode,
        /// The one that it shall have.
        expected: TeamCode,
    },
}

/// Greets both players before a match, and compares their team codes with those that are expected.
///
/// One player is asked at a time, and both lines are listened to.
///
/// # Errors
/// [`MeetError`], the first that shows.
pub fn meet(
    players: &mut [Player; 2],
    expected: Seats<Option<TeamCode>>,
    limit: Duration,
) -> Result<Seats<TeamCode>, MeetError> {
    let names = Seats([players[0].name().to_owned(), players[1].name().to_owned()]);
    let [one, two] = players;
    let mut lines = [one.link_mut(), two.link_mut()];
    let failed = |seat: Seat| {
        let name = names[seat].clone();
        move |source| MeetError::Link { seat, name, source }
    };
    for (line, seat) in lines.iter_mut().zip(Seat::BOTH) {
        line.drain().map_err(failed(seat))?;
    }
    let mut teams = Vec::new();
    for seat in Seat::BOTH {
        let (asked, other) = (seat as usize, seat.other() as usize);
        let team = greet(&mut *lines[asked], seat, &names[seat], limit)?;
        // What is software in this process has a line of its own, and never speaks by itself.
        let bytes = listen(&mut *lines[other]).map_err(failed(seat.other()))?;
        if bytes.ends_with(&team.reply()) {
            let [one, two] = names.0;
            return Err(MeetError::SameDevice { one, two });
        }
        teams.push(team);
    }
    let teams = Seats([teams[0], teams[1]]);
    check(teams, expected, names).map(|()| teams)
}

fn check(
    teams: Seats<TeamCode>,
    expected: Seats<Option<TeamCode>>,
    names: Seats<String>,
) -> Result<(), MeetError> {
    let [first, second] = teams.0;
    let crossed = expected.0 == [Some(second), Some(first)] && first != second;
    if crossed {
        let [one, two] = names.0;
        return Err(MeetError::Swapped {
            one,
            two,
            first,
            second,
        });
    }
    for seat in Seat::BOTH {
        let got = teams[seat];
        if let Some(expected) = expected[seat]
            && expected != got
        {
            let name = names[seat].clone();
            return Err(MeetError::OtherTeam {
                seat,
                name,
                got,
                expected,
            });
        }
    }
    Ok(())
}

fn greet(
    line: &mut dyn Link,
    seat: Seat,
    name: &str,
    limit: Duration,
) -> Result<TeamCode, MeetError> {
    let name = || name.to_owned();
    let broken = |source| MeetError::Link {
        seat,
        name: name(),
        source,
    };
    let mut got = Vec::new();
    // A board may have been in the middle of a code when the line was opened.
    for _ in 0..2 {
        let sent = line.send(&HostCode::Hello.encode()).map_err(broken)?;
        got.clear();
        let mut buf = [0; 64];
        let solid = |got: &[u8]| got.iter().filter(|&&byte| !is_blank(byte)).count();
        while solid(&got) < usize::from(Expect::Team.length()) {
            match line.recv(&mut buf, sent.at + limit) {
                Ok(received) => got.extend_from_slice(received.bytes),
                Err(LinkError::Timeout) => break,
                Err(source) => return Err(broken(source)),
            }
        }
        if let Ok(Reply::Team(team)) = Reply::parse(Expect::Team, &got) {
            return Ok(team);
        }
    }
    let printable = |byte: &u8| byte.is_ascii_graphic() || is_blank(*byte);
    Err(match Reply::parse(Expect::Team, &got) {
        _ if got.is_empty() => MeetError::Silent {
            seat,
            name: name(),
            limit,
        },
        _ if !got.iter().all(printable) => MeetError::Garbage {
            seat,
            name: name(),
            got,
        },
        Err(reason) => MeetError::Broken {
            seat,
            name: name(),
            got,
            reason,
        },
        Ok(_) => unreachable!("a team code has been returned"),
    })
}

/// What comes on a line that has not been asked.
fn listen(line: &mut dyn Link) -> Result<Vec<u8>, LinkError> {
    let mut bytes = Vec::new();
    let mut buf = [0; 64];
    let deadline = std::time::Instant::now() + LISTEN;
    loop {
        match line.recv(&mut buf, deadline) {
            Ok(received) => bytes.extend_from_slice(received.bytes),
            Err(LinkError::Timeout) => return Ok(bytes),
            Err(error) => return Err(error),
        }
    }
}
