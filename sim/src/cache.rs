//! Disk cache of built models, keyed by their inputs.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::error::{Result, SimError};

/// Cache key: a hash of everything that influences a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key(u128);

impl Key {
    /// Hashes the parts and their lengths with FNV-1a. The hash has to distinguish a few hundred
    /// models of one user and to stay the same over releases; it does not protect against forgery.
    pub(crate) fn of<'a>(parts: impl IntoIterator<Item = &'a str>) -> Self {
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        let mut hash = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128;
        let mut take = |byte: u8| hash = (hash ^ u128::from(byte)).wrapping_mul(PRIME);
        for part in parts {
            part.bytes().for_each(&mut take);
            (part.len() as u64)
                .to_le_bytes()
                .into_iter()
                .for_each(&mut take);
        }
        Self(hash)
    }
}

/// Directory of all models.
#[derive(Debug, Clone)]
pub(crate) struct Cache {
    directory: PathBuf,
}

impl Cache {
    /// Opens the given directory or the default one, see [`Options::cache`](crate::Options). The
    /// paths of entries are absolute, since compilers start in other directories.
    pub(crate) fn open(directory: Option<&Path>) -> Result<Self> {
        let directory = directory.map_or_else(default_directory, Path::to_owned);
        let directory = std::path::absolute(&directory)
            .map_err(SimError::io("finding the absolute path of", directory))?;
        fs::create_dir_all(&directory).map_err(SimError::io("creating", &directory))?;
        Ok(Self { directory })
    }

    fn entry(&self, kind: &str, key: Key) -> PathBuf {
        self.directory.join(format!("{kind}-{:032x}", key.0))
    }

    /// Returns true if the entry exists, so that getting it takes no time.
    pub(crate) fn has(&self, kind: &str, key: Key) -> bool {
        self.entry(kind, key).is_dir()
    }

    /// Returns the directory of an entry. If the entry is missing, `build` fills an empty
    /// directory, which becomes the entry only if `build` succeeds. Concurrent processes and
    /// threads wait for the first build of an entry.
    pub(crate) fn get(
        &self,
        kind: &str,
        key: Key,
        build: impl FnOnce(&Path) -> Result<()>,
    ) -> Result<PathBuf> {
        let entry = self.entry(kind, key);
        if entry.is_dir() {
            return Ok(entry);
        }
        let lock_path = entry.with_extension("lock");
        let lock = File::create(&lock_path).map_err(SimError::io("creating", &lock_path))?;
        // Without file locks two builds may run at once; the rename below still keeps one of them
        // whole.
        let locked = lock.lock().is_ok();
        if locked && entry.is_dir() {
            return Ok(entry);
        }
        let scratch = tempfile::Builder::new()
            .prefix("building-")
            .tempdir_in(&self.directory)
            .map_err(SimError::io("creating a directory in", &self.directory))?;
        build(scratch.path())?;
        match fs::rename(scratch.path(), &entry) {
            // The directory has moved, so nothing is left to remove.
            Ok(()) => drop(scratch.keep()),
            Err(_) if entry.is_dir() => {}
            Err(source) => {
                return Err(SimError::Io {
                    action: "creating",
                    path: entry,
                    source,
                });
            }
        }
        Ok(entry)
    }
}

fn default_directory() -> PathBuf {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(directory) = variable("DUOFORGE_CACHE") {
        return PathBuf::from(directory);
    }
    let target = variable("CARGO_TARGET_DIR")
        .map(PathBuf::from)
        .or_else(workspace_target);
    if let Some(target) = target {
        return target.join("duoforge-sim");
    }
    let user = variable("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| variable("HOME").map(|home| PathBuf::from(home).join(".cache")))
        .unwrap_or_else(std::env::temp_dir);
    user.join("duoforge-sim")
}

/// Returns Cargo's target directory of the repository that contains the current directory.
fn workspace_target() -> Option<PathBuf> {
    let current = std::env::current_dir().ok()?;
    let root = current.ancestors().find(|directory| {
        directory.join("Cargo.lock").is_file() && directory.join("sim/Cargo.toml").is_file()
    })?;
    Some(root.join("target"))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;

    use super::*;

    fn cache() -> (tempfile::TempDir, Cache) {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::open(Some(&directory.path().join("models"))).unwrap();
        (directory, cache)
    }

    #[test]
    fn keys_know_where_parts_end() {
        assert_eq!(Key::of(["ab", "c"]), Key::of(["ab", "c"]));
        assert_ne!(Key::of(["ab", "c"]), Key::of(["a", "bc"]));
        assert_ne!(Key::of(["ab"]), Key::of(["ab", ""]));
    }

    #[test]
    fn many_at_once_build_once() {
        let (_directory, cache) = cache();
        let built = AtomicU32::new(0);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let entry = cache.get("m", Key::of(["x"]), |directory| {
                        built.fetch_add(1, Ordering::Relaxed);
                        thread::sleep(std::time::Duration::from_millis(30));
                        fs::write(directory.join("model"), "1").unwrap();
                        Ok(())
                    });
                    assert_eq!(fs::read(entry.unwrap().join("model")).unwrap(), b"1");
                });
            }
        });
        assert_eq!(built.into_inner(), 1);
        assert!(cache.has("m", Key::of(["x"])) && !cache.has("m", Key::of(["y"])));
    }

    #[test]
    fn a_failed_build_leaves_nothing() {
        let (directory, cache) = cache();
        let key = Key::of(["x"]);
        let failed = cache.get("m", key, |directory| {
            fs::write(directory.join("half"), "").unwrap();
            Err(SimError::NoWave)
        });
        assert!(failed.is_err() && !cache.has("m", key));
        let left: Vec<_> = fs::read_dir(directory.path().join("models"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_dir())
            .collect();
        assert_eq!(left, Vec::<PathBuf>::new());
        assert!(cache.get("m", key, |_| Ok(())).is_ok());
    }
}
