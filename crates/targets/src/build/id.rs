//! Build id: 32 bits that identify a bitstream.

use duoforge_protocol::BuildId;
use serde::{Deserialize, Deserializer, Serializer, de::Error};
use sha2::{Digest, Sha256};

/// Writes an id as eight hex digits.
pub(crate) fn serialize<S: Serializer>(id: &BuildId, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(id)
}

/// Reads an id of eight hex digits.
pub(crate) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<BuildId, D::Error> {
    let text = String::deserialize(from)?;
    text.parse().map_err(D::Error::custom)
}

/// Hash of all inputs of a build.
#[derive(Clone, Debug, Default)]
pub struct BuildInputs(Sha256);

impl BuildInputs {
    /// Adds a named input. Lengths are hashed too, so that different lists of inputs do not
    /// collide.
    pub fn add(&mut self, name: &str, content: &str) {
        for part in [name, content] {
            self.0.update((part.len() as u64).to_le_bytes());
            self.0.update(part);
        }
    }

    /// Returns the build id of these inputs: the first 32 bits of the hash.
    pub fn id(&self) -> BuildId {
        first_bits(&self.0.clone().finalize())
    }
}

/// Returns the first 32 bits of the hash of a file.
pub(crate) fn of_bytes(bytes: &[u8]) -> BuildId {
    first_bits(&Sha256::digest(bytes))
}

fn first_bits(hash: &[u8]) -> BuildId {
    BuildId(u32::from_be_bytes([hash[0], hash[1], hash[2], hash[3]]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(parts: &[(&str, &str)]) -> BuildId {
        let mut ingredients = BuildInputs::default();
        for (name, content) in parts {
            ingredients.add(name, content);
        }
        ingredients.id()
    }

    #[test]
    fn every_part_counts() {
        let known = id(&[("a.v", "module a;"), ("seed", "1")]);
        assert_eq!(known, id(&[("a.v", "module a;"), ("seed", "1")]));
        assert_ne!(known, id(&[("a.v", "module a;"), ("seed", "2")]));
        assert_ne!(known, id(&[("b.v", "module a;"), ("seed", "1")]));
        assert_ne!(id(&[("a", "bc")]), id(&[("ab", "c")]));
    }

    #[test]
    fn the_empty_hash_is_the_published_one() {
        // SHA-256 of the empty input begins with e3b0c442.
        assert_eq!(id(&[]).to_string(), "e3b0c442");
    }
}
