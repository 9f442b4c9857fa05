//! Tests of single reads and writes, which programs alone cannot lead to.

use std::fs::OpenOptions;

use super::*;

/// Starts a program that reads nothing and never ends by itself.
fn idle(log: usize) -> LineChild {
    LineChild::start(Command::new("sleep").arg("600"), log).unwrap()
}

/// A full pipe takes nothing for the moment; a pipe that cannot be written is an error.
#[test]
fn what_cannot_be_written_yet_is_tried_again() {
    let mut child = idle(0);
    let mut written = 0;
    loop {
        match child.write(&[b'x'; PIECE]).unwrap() {
            0 => break,
            more => written += more,
        }
    }
    assert!(written >= 4096, "{written}");
    assert_eq!(child.write(b"x").unwrap(), 0);
    assert!(child.input.is_some());
    child.input = Some(File::open("/dev/null").unwrap());
    let error = child.write(b"x").unwrap_err();
    assert_eq!(error.raw_os_error(), Some(Errno::EBADF as i32));
}

#[test]
fn what_cannot_be_read_is_an_error() {
    let only_written = OpenOptions::new().write(true).open("/dev/null").unwrap();
    let error = read(&mut Some(only_written)).unwrap_err();
    assert_eq!(error.raw_os_error(), Some(Errno::EBADF as i32));
}

/// A read takes 64 KiB, the usual capacity of a pipe; standard error is read until it is empty.
#[test]
fn standard_error_is_emptied_by_as_few_reads_as_can_be() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("errors");
    std::fs::write(&path, vec![b'x'; 200_000]).unwrap();
    let mut child = idle(150_000);
    child.errors = Some(File::open(&path).unwrap());
    assert_eq!(read(&mut child.errors).unwrap().unwrap().len(), 65_536);
    child.empty_errors().unwrap();
    assert_eq!(child.log.len() as u64 + child.dropped, 200_000 - 65_536);
    assert!(child.errors.is_none());
}

/// The near end is not blocking, also if it was not before.
#[test]
fn pipes_do_not_block() {
    let mut program = Child::spawn(Command::new("sleep").arg("600").stdout(Stdio::piped()));
    let output = program.as_mut().unwrap().take_output().unwrap();
    let once = unblocked(output.into()).unwrap();
    let flags = || OFlag::from_bits_retain(fcntl(&once, FcntlArg::F_GETFL).unwrap());
    assert!(flags().contains(OFlag::O_NONBLOCK));
    let twice = unblocked(once.try_clone().unwrap().into()).unwrap();
    assert!(flags().contains(OFlag::O_NONBLOCK));
    assert_eq!(read(&mut Some(twice)).unwrap(), Some(Vec::new()));
}
