//! The machine that is looked at.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::process::Command;

use duoforge_links::ports::PortInfo;

/// Files and users of a machine: of this one, or of a tree that looks like one.
#[derive(Debug)]
pub struct Machine {
    /// Where its files are: `/`, or a tree with `dev`, `etc` and `sys` in it.
    pub root: PathBuf,
    /// Its serial devices, by their names on the machine.
    pub ports: Vec<PortInfo>,
    /// Who wants to use them.
    pub user: User,
}

/// Who wants to use a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The user's name, where it is known.
    pub name: Option<String>,
    /// The user's number.
    pub uid: u32,
    /// The numbers of their groups.
    pub groups: Vec<u32>,
    /// Whether it is who runs this program. Then the system is asked where the mode of a file says
    /// no, since access lists may say yes.
    pub me: bool,
}

impl User {
    /// Whoever runs this program, by what the system says of its process.
    pub fn me() -> Self {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let numbers = |name: &str| -> Vec<u32> {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let words = line.unwrap_or_default().split_whitespace();
            words.filter_map(|word| word.parse().ok()).collect()
        };
        // Of the four numbers in a line, the second is the one that counts.
        let effective = |name| numbers(name).get(1).copied();
        let mut groups = numbers("Groups:");
        groups.extend(effective("Gid:"));
        Self {
            name: std::env::var("USER").ok(),
            uid: effective("Uid:").unwrap_or(u32::MAX),
            groups,
            me: true,
        }
    }
}

impl Machine {
    /// This machine.
    pub fn this(ports: Vec<PortInfo>) -> Self {
        Self {
            root: "/".into(),
            ports,
            user: User::me(),
        }
    }

    /// Where a file of the machine, named by its absolute path there, can be read here.
    pub fn file(&self, path: impl AsRef<Path>) -> PathBuf {
        let path = path.as_ref();
        self.root.join(path.strip_prefix("/").unwrap_or(path))
    }

    /// Whether the user may read and write a file. The file is not opened.
    pub fn may_use(&self, file: &Path) -> bool {
        let User {
            uid, groups, me, ..
        } = &self.user;
        let by_mode = |metadata: Metadata| mode_allows(&metadata, *uid, groups);
        let by_list = || {
            let mut test = Command::new("test");
            test.arg("-r").arg(file).arg("-a").arg("-w").arg(file);
            test.status().is_ok_and(|status| status.success())
        };
        fs::metadata(file).is_ok_and(by_mode) || (*me && by_list())
    }

    /// Name and members of the group that a file belongs to.
    pub fn group_of(&self, file: &Path) -> Option<Group> {
        let number = gid(&fs::metadata(file).ok()?)?;
        let groups = fs::read_to_string(self.file("/etc/group")).ok()?;
        groups.lines().find_map(|line| {
            let mut fields = line.split(':');
            let name = fields.next()?;
            let found: u32 = fields.nth(1)?.parse().ok()?;
            let members = fields.next().unwrap_or_default();
            (found == number).then(|| Group {
                name: name.to_owned(),
                members: members.split(',').map(str::to_owned).collect(),
            })
        })
    }
}

/// A group of users.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// The names of its members, but for those whose first group it is.
    pub members: Vec<String>,
}

#[cfg(unix)]
fn mode_allows(metadata: &Metadata, uid: u32, groups: &[u32]) -> bool {
    use std::os::unix::fs::MetadataExt;
    let shift = match () {
        () if uid == 0 => return true,
        () if metadata.uid() == uid => 6,
        () if groups.contains(&metadata.gid()) => 3,
        () => 0,
    };
    metadata.mode() >> shift & 6 == 6
}

#[cfg(not(unix))]
fn mode_allows(_: &Metadata, _: u32, _: &[u32]) -> bool {
    true
}

#[cfg(unix)]
fn gid(metadata: &Metadata) -> Option<u32> {
    Some(std::os::unix::fs::MetadataExt::gid(metadata))
}

#[cfg(not(unix))]
fn gid(_: &Metadata) -> Option<u32> {
    None
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A machine of real files, for a user who is in the group that the files have.
    pub struct Tree {
        /// The files, which go when this goes.
        _folder: tempfile::TempDir,
        /// The machine.
        pub machine: Machine,
    }

    /// Number of a user who owns nothing.
    pub const NOBODY: u32 = 4_242_424;

    /// A user with these numbers.
    pub fn numbered(uid: u32, groups: &[u32]) -> User {
        User {
            name: Some("cat".into()),
            uid,
            groups: groups.into(),
            me: false,
        }
    }

    impl Tree {
        /// A machine with these files and nothing else, for a user without groups.
        pub fn new(files: &[(&str, &str)]) -> Self {
            let folder = tempfile::tempdir().unwrap();
            let machine = Machine {
                root: folder.path().to_owned(),
                ports: Vec::new(),
                user: numbered(NOBODY, &[]),
            };
            let tree = Self {
                _folder: folder,
                machine,
            };
            for (path, text) in files {
                tree.write(path, text);
            }
            tree
        }

        /// Adds a file.
        pub fn write(&self, path: &str, text: &str) {
            let file = self.machine.file(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }

        /// Sets the mode of a file, and returns the number of its group.
        pub fn mode(&self, path: &str, mode: u32) -> u32 {
            use std::os::unix::fs::PermissionsExt;
            let file = self.machine.file(path);
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            gid(&fs::metadata(file).unwrap()).unwrap()
        }
    }

    #[test]
    fn the_mode_decides_for_a_numbered_user() {
        let mut tree = Tree::new(&[("/dev/ttyUSB0", "")]);
        let group = tree.mode("/dev/ttyUSB0", 0o660);
        let device = tree.machine.file("/dev/ttyUSB0");
        assert!(!tree.machine.may_use(&device));
        tree.machine.user = numbered(NOBODY, &[7, group]);
        assert!(tree.machine.may_use(&device));
        tree.mode("/dev/ttyUSB0", 0o640);
        assert!(!tree.machine.may_use(&device), "reading alone does not do");
        tree.mode("/dev/ttyUSB0", 0o606);
        assert!(!tree.machine.may_use(&device), "the group's bits count");
        tree.machine.user = numbered(0, &[]);
        assert!(tree.machine.may_use(&device), "root may everything");
        assert!(!tree.machine.may_use(&tree.machine.file("/dev/none")));
    }

    #[test]
    fn the_system_decides_for_whoever_runs_the_program() {
        let machine = Machine::this(Vec::new());
        assert!(machine.may_use(Path::new("/dev/null")));
        assert!(!machine.may_use(Path::new("/dev/there is no such device")));
        let mut command = Command::new("id");
        let uid = duoforge_tools::run(command.arg("-u")).unwrap();
        assert_eq!(machine.user.uid.to_string(), uid.trim());
    }

    #[test]
    fn groups_are_found_by_the_number_of_the_file() {
        let tree = Tree::new(&[("/dev/ttyUSB0", "")]);
        let number = tree.mode("/dev/ttyUSB0", 0o660);
        let device = tree.machine.file("/dev/ttyUSB0");
        assert_eq!(tree.machine.group_of(&device), None);
        let groups = format!("other:x:{}:\nuucp:x:{number}:ann,bob\n", number + 1);
        tree.write("/etc/group", &groups);
        let group = tree.machine.group_of(&device).unwrap();
        assert_eq!(group.name, "uucp");
        assert_eq!(group.members, ["ann", "bob"]);
    }
}
