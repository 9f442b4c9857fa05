//! Device connected by socat, opened by its path as a serial device.
#![cfg(unix)]

mod common;

use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use common::{command, conform};
use duoforge_conform::mock::MockKind;
use duoforge_conform::{ConformanceCheck, Opener, Report};
use duoforge_links::SerialLink;
use duoforge_referee::Player;
use duoforge_tools::catalogue::SOCAT;

/// Running socat process.
struct Socat(Child);

impl Drop for Socat {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn first_nine(kind: MockKind) -> Report {
    let settings = common::settings();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("board");
    let mut socat: Command = SOCAT.command().expect("`cargo xtask setup` installs socat");
    let child = socat
        .arg(format!("pty,raw,echo=0,link={}", path.display()))
        .arg(format!("EXEC:{}", command(kind, settings.limit).join(" ")))
        .spawn()
        .unwrap();
    let _socat = Socat(child);
    let deadline = Instant::now() + Duration::from_secs(10);
    while !path.exists() {
        assert!(Instant::now() < deadline, "socat makes no pseudo-terminal");
        thread::sleep(Duration::from_millis(5));
    }
    let open: Opener<'_> = Box::new(|| {
        let link = SerialLink::open(path.to_str().unwrap())?;
        Ok(Player::board(link))
    });
    let steps: Vec<_> = ConformanceCheck::ALL
        .iter()
        .take(9)
        .filter_map(|step| ConformanceCheck::find(step.name))
        .collect();
    conform(open, settings, &steps)
}

#[test]
fn a_device_behind_socat_is_tried_like_any_other() {
    let report = first_nine(MockKind::Correct);
    assert_eq!(
        report.count(|verdict| verdict.word() == "passed"),
        9,
        "{report:?}"
    );
    let report = first_nine(MockKind::Capitals);
    assert_eq!(report.failed(), 1, "{report:?}");
    assert_eq!(report.steps[3].verdict.word(), "failed", "{report:?}");
}
