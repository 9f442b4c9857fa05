//! A journal in the current folder, whose name has no folder. The only test of its program, since it changes
//! the folder of the process.

use std::path::Path;

use duoforge_journal::{Header, Journal, read};

#[test]
fn a_name_without_a_folder_is_in_the_current_one() {
    let folder = tempfile::tempdir().unwrap();
    std::env::set_current_dir(folder.path()).unwrap();
    let path = Path::new("cup.journal");
    drop(Journal::create(path, Header::new("match", "Cup", "")).unwrap());
    assert_eq!(read(path).unwrap().records, 1);
    assert!(folder.path().join(path).exists());
    std::env::set_current_dir("/").unwrap();
}
