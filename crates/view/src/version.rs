//! Version of the serialised objects.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Version of all objects of this crate. Any change of a field or of its permitted values raises
/// it.
pub const VERSION: u32 = 1;

/// Field `version` of an object: always [`VERSION`]. Objects of other versions are rejected.
///
/// ```
/// use duoforge_view::Version;
///
/// assert_eq!(serde_json::to_string(&Version)?, "1");
/// let error = serde_json::from_str::<Version>("2").unwrap_err();
/// assert_eq!(error.to_string(), "version 2 is not supported: expected 1");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Version;

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(VERSION)
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u64::deserialize(deserializer)? {
            version if version == u64::from(VERSION) => Ok(Self),
            other => Err(D::Error::custom(format!(
                "version {other} is not supported: expected {VERSION}"
            ))),
        }
    }
}
