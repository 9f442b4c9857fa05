//! Journal in the current directory, with a name without a directory. This test has its own
//! program, since it changes the working directory of the process.

use std::path::Path;

use duoforge_journal::{Header, Journal, Kind, read};

#[test]
fn a_name_without_a_directory_is_in_the_current_one() {
    let directory = tempfile::tempdir().unwrap();
    std::env::set_current_dir(directory.path()).unwrap();
    let path = Path::new("cup.journal");
    drop(Journal::create(path, Header::new(Kind::Match, "Cup", "")).unwrap());
    assert_eq!(read(path).unwrap().records, 1);
    assert!(directory.path().join(path).exists());
    std::env::set_current_dir("/").unwrap();
}
