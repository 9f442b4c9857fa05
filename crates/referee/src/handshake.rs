//! Handshake before a match: checks that both players are present and are the expected ones.

use std::time::Duration;

use duoforge_links::{DRAIN_LIMIT, Link, LinkError};
use duoforge_protocol::{HostCode, Reply, ReplyError, ReplyKind, TeamCode, is_ignored};

use crate::{Player, Seat, Seats};

/// Time for which the other connection is monitored after a handshake.
const LISTEN: Duration = Duration::from_millis(50);

/// Reason why two players cannot start a match.
#[derive(Debug, thiserror::Error)]
pub enum HandshakeError {
    /// There was no reply to `0`.
    #[error("{seat} ({name}) does not answer 0 within {} s", .limit.as_secs_f64())]
    Silent {
        /// Seat of the player.
        seat: Seat,
        /// Name of the player.
        name: String,
        /// Time limit of the wait.
        limit: Duration,
    },
    /// The reply contains unprintable bytes, as with a wrong baud rate.
    #[error("{seat} ({name}) answers 0 with '{}', which is framing garbage and no team code", .got.escape_ascii())]
    Garbage {
        /// Seat of the player.
        seat: Seat,
        /// Name of the player.
        name: String,
        /// Received bytes.
        got: Vec<u8>,
    },
    /// The reply is printable, but not a team code.
    #[error("{seat} ({name}) answers 0 with '{}': {reason}", .got.escape_ascii())]
    Broken {
        /// Seat of the player.
        seat: Seat,
        /// Name of the player.
        name: String,
        /// Received bytes.
        got: Vec<u8>,
        /// Fault of the reply.
        reason: ReplyError,
    },
    /// The link broke.
    #[error("{seat} ({name}): {source}")]
    Link {
        /// Seat of the player.
        seat: Seat,
        /// Name of the player.
        name: String,
        /// Error of the link.
        source: LinkError,
    },
    /// After a prompt to one player, the other player replied as well.
    #[error("{one} and {two} are the same device: when one is asked, both answer")]
    SameDevice {
        /// Name of player 1.
        one: String,
        /// Name of player 2.
        two: String,
    },
    /// Each player has the team code that is expected of the other.
    #[error("the players are swapped: {one} is team {first}, and {two} is team {second}")]
    Swapped {
        /// Name of player 1.
        one: String,
        /// Name of player 2.
        two: String,
        /// Team code of player 1, expected of player 2.
        first: TeamCode,
        /// Team code of player 2, expected of player 1.
        second: TeamCode,
    },
    /// A player has another team code than expected.
    #[error("{seat} ({name}) is team {got}, and team {expected} is expected there")]
    OtherTeam {
        /// Seat of the player.
        seat: Seat,
        /// Name of the player.
        name: String,
        /// Team code of the player.
        got: TeamCode,
        /// Expected team code.
        expected: TeamCode,
    },
}

/// Performs the handshake with both players before a match, and compares their team codes with the
/// expected ones.
///
/// One player is prompted at a time, and both connections are monitored.
///
/// # Errors
/// The first [`HandshakeError`] found.
pub fn check_players(
    players: &mut [Player; 2],
    expected: Seats<Option<TeamCode>>,
    limit: Duration,
) -> Result<Seats<TeamCode>, HandshakeError> {
    let names = Seats([players[0].name().to_owned(), players[1].name().to_owned()]);
    let [one, two] = players;
    let mut lines = [one.link_mut(), two.link_mut()];
    let failed = |seat: Seat| {
        let name = names[seat].clone();
        move |source| HandshakeError::Link { seat, name, source }
    };
    for (line, seat) in lines.iter_mut().zip(Seat::BOTH) {
        line.drain().map_err(failed(seat))?;
    }
    let mut teams = Vec::new();
    for seat in Seat::BOTH {
        let (asked, other) = (seat as usize, seat.other() as usize);
        let team = greet(&mut *lines[asked], seat, &names[seat], limit)?;
        // A player in this process has a separate connection and never sends unsolicited bytes.
        let bytes = listen(&mut *lines[other]).map_err(failed(seat.other()))?;
        if bytes.ends_with(&team.reply()) {
            let [one, two] = names.0;
            return Err(HandshakeError::SameDevice { one, two });
        }
        teams.push(team);
    }
    let teams = Seats([teams[0], teams[1]]);
    check(teams, expected, names).map(|()| teams)
}

/// Performs the handshake with one player, before it has a seat: errors name it player 1.
///
/// # Errors
/// The first [`HandshakeError`] found.
pub fn check_player(player: &mut Player, limit: Duration) -> Result<TeamCode, HandshakeError> {
    let (name, seat) = (player.name().to_owned(), Seat::One);
    let link = player.link_mut();
    link.drain().map_err(|source| HandshakeError::Link {
        seat,
        name: name.clone(),
        source,
    })?;
    greet(link, seat, &name, limit)
}

fn check(
    teams: Seats<TeamCode>,
    expected: Seats<Option<TeamCode>>,
    names: Seats<String>,
) -> Result<(), HandshakeError> {
    let [first, second] = teams.0;
    let crossed = expected.0 == [Some(second), Some(first)] && first != second;
    if crossed {
        let [one, two] = names.0;
        return Err(HandshakeError::Swapped {
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
            return Err(HandshakeError::OtherTeam {
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
) -> Result<TeamCode, HandshakeError> {
    let name = || name.to_owned();
    let broken = |source| HandshakeError::Link {
        seat,
        name: name(),
        source,
    };
    let mut got = Vec::new();
    // The device may have been inside a code when the link was opened.
    for _ in 0..2 {
        let sent = line.send(&HostCode::Handshake.encode()).map_err(broken)?;
        got.clear();
        let mut buf = [0; 64];
        while got.len() < usize::from(ReplyKind::Team.length()) {
            match line.recv(&mut buf, sent.at + limit) {
                Ok(received) => {
                    let bytes = received.bytes.iter();
                    got.extend(bytes.filter(|&&byte| !is_ignored(byte)));
                    // A flood of line ends does not extend the wait.
                    if received.since(&sent) > limit {
                        break;
                    }
                }
                Err(LinkError::Timeout) => break,
                Err(source) => return Err(broken(source)),
            }
        }
        if let Ok(Reply::Team(team)) = Reply::parse(ReplyKind::Team, &got) {
            return Ok(team);
        }
    }
    Err(match Reply::parse(ReplyKind::Team, &got) {
        _ if got.is_empty() => HandshakeError::Silent {
            seat,
            name: name(),
            limit,
        },
        _ if !got.iter().all(u8::is_ascii_graphic) => HandshakeError::Garbage {
            seat,
            name: name(),
            got,
        },
        Err(reason) => HandshakeError::Broken {
            seat,
            name: name(),
            got,
            reason,
        },
        Ok(_) => unreachable!("a team code has been returned"),
    })
}

/// Receives the unsolicited bytes of a connection for [`LISTEN`], at most [`DRAIN_LIMIT`] without
/// line ends.
fn listen(line: &mut dyn Link) -> Result<Vec<u8>, LinkError> {
    let mut bytes = Vec::new();
    let mut buf = [0; 64];
    let deadline = std::time::Instant::now() + LISTEN;
    while bytes.len() < DRAIN_LIMIT {
        match line.recv(&mut buf, deadline) {
            Ok(received) => {
                let printed = received.bytes.iter().filter(|&&byte| !is_ignored(byte));
                bytes.extend(printed);
                if received.at > deadline {
                    break;
                }
            }
            Err(LinkError::Timeout) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(bytes)
}
