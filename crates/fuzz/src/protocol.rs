//! Both directions of the contest's protocol.

#[path = "../../../protocol/tests/common/checks.rs"]
mod checks;

use duoforge_protocol::{HostEvent, HostSession, PASS, Phase, Reply, ReplyKind, StartCell};

use checks::{check_replies, check_resynchronises, parse, parse_by_lookahead};

/// Host codes at a device: the parser agrees with a parser by lookahead, and is resynchronised
/// after the inter-byte timeout.
pub fn device(bytes: &[u8]) -> bool {
    let parsed = parse(bytes);
    assert_eq!(parsed, parse_by_lookahead(bytes));
    check_resynchronises(bytes);
    !parsed.0.is_empty()
}

/// Replies at the host: a reply ends by its length alone, a malformed one has the matching error,
/// and a connection reports no byte as unsolicited while a reply is due.
pub fn host(bytes: &[u8]) -> bool {
    let expected = [ReplyKind::Team, ReplyKind::Move, ReplyKind::Build];
    for expect in expected {
        check_replies(expect, bytes);
    }
    check_connection(bytes);
    expected
        .iter()
        .any(|&expect| Reply::parse(expect, bytes).is_ok())
}

/// Plays a game with a device that sends these bytes. After a malformed reply the game ends and a
/// new connection begins.
fn check_connection(bytes: &[u8]) {
    let mut host = HostSession::new();
    host.handshake().expect("no reply is due");
    for &byte in bytes {
        let event = host.feed(byte);
        match event {
            None => assert!(host.expects().is_some()),
            Some(HostEvent::Team(team)) => {
                assert_eq!((host.phase(), host.team()), (Phase::Ready, Some(team)));
                host.first(StartCell::A).expect("the handshake is complete");
            }
            Some(HostEvent::Move(_)) => {
                assert_eq!(host.phase(), Phase::Playing);
                host.turn(PASS).expect("a game is running");
            }
            Some(HostEvent::Broken(error)) => {
                assert!(!error.to_string().is_empty());
                host.end();
                host.handshake().expect("the game has ended");
            }
            Some(HostEvent::Build(_) | HostEvent::Unsolicited(_)) => {
                panic!("{event:?} although another reply is due")
            }
        }
    }
    assert!(host.expire().is_some());
}
