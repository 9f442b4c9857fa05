//! Machine that is checked.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::process::Command;

use duoforge_links::ports::PortInfo;

/// Files and user of a machine: this machine, or a directory tree in its place.
#[derive(Debug)]
pub struct Machine {
    /// Root of the files: `/`, or a tree with `dev`, `etc` and `sys`.
    pub root: PathBuf,
    /// Serial devices, by their names on the machine.
    pub ports: Vec<PortInfo>,
    /// User whose permissions are checked.
    pub user: User,
}

/// User of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// Name of the user, if known.
    pub name: Option<String>,
    /// Id of the user.
    pub uid: u32,
    /// Ids of the groups of the user.
    pub groups: Vec<u32>,
    /// True if the user runs this program. Then the system is asked if the mode of a file denies
    /// access, since an access list may grant it.
    pub me: bool,
}

impl User {
    /// Returns the user that runs this program, from the status of its process.
    pub fn me() -> Self {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let numbers = |name: &str| -> Vec<u32> {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let words = line.unwrap_or_default().split_whitespace();
            words.filter_map(|word| word.parse().ok()).collect()
        };
        // Of the four ids in a line, the second is the effective one.
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
    /// Creates the description of this machine.
    pub fn this(ports: Vec<PortInfo>) -> Self {
        Self {
            root: "/".into(),
            ports,
            user: User::me(),
        }
    }

    /// Returns the local path of a file of the machine, which is given by its absolute path there.
    pub fn file(&self, path: impl AsRef<Path>) -> PathBuf {
        let path = path.as_ref();
        self.root.join(path.strip_prefix("/").unwrap_or(path))
    }

    /// True if the user may read and write a file. The file is not opened.
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

    /// Returns the group of a file.
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

/// Group of users.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Name of the group.
    pub name: String,
    /// Names of the members, except those whose primary group it is.
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

    /// Machine in a temporary directory.
    pub struct Tree {
        /// Files, which are deleted with this value.
        _directory: tempfile::TempDir,
        /// Machine whose root is the directory.
        pub machine: Machine,
    }

    /// Id of a user without files.
    pub const NOBODY: u32 = 4_242_424;

    /// Creates a user with these ids.
    pub fn numbered(uid: u32, groups: &[u32]) -> User {
        User {
            name: Some("cat".into()),
            uid,
            groups: groups.into(),
            me: false,
        }
    }

    impl Tree {
        /// Creates a machine with only these files, for a user without groups.
        pub fn new(files: &[(&str, &str)]) -> Self {
            let directory = tempfile::tempdir().unwrap();
            let machine = Machine {
                root: directory.path().to_owned(),
                ports: Vec::new(),
                user: numbered(NOBODY, &[]),
            };
            let tree = Self {
                _directory: directory,
                machine,
            };
            for (path, text) in files {
                tree.write(path, text);
            }
            tree
        }

        /// Writes a file.
        pub fn write(&self, path: &str, text: &str) {
            let file = self.machine.file(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }

        /// Sets the mode of a file, and returns the id of its group.
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
        assert!(
            !tree.machine.may_use(&device),
            "read permission alone is not enough"
        );
        tree.mode("/dev/ttyUSB0", 0o606);
        assert!(!tree.machine.may_use(&device), "the group's bits count");
        tree.machine.user = numbered(0, &[]);
        assert!(tree.machine.may_use(&device), "root has all permissions");
        assert!(!tree.machine.may_use(&tree.machine.file("/dev/none")));
    }

    #[test]
    fn the_system_decides_for_the_user_of_the_program() {
        let machine = Machine::this(Vec::new());
        assert!(machine.may_use(Path::new("/dev/null")));
        assert!(!machine.may_use(Path::new("/dev/there is no such device")));
        let mut command = Command::new("id");
        let uid = duoforge_tools::run(command.arg("-u")).unwrap();
        assert_eq!(machine.user.uid.to_string(), uid.trim());
    }

    #[test]
    fn groups_are_found_by_their_ids() {
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
