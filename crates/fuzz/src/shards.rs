//! Files of results.

use duoforge_shards::{Shard, is_header, merge};

use crate::scratch;
use crate::text::{accepted, read_text};

/// Files of results: what is merged from one file is merged again as the same text. The first line
/// is read as a shard too.
pub fn shards(bytes: &[u8]) -> bool {
    let first = bytes
        .split(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    if let Some(shard) = read_text(first, str::parse::<Shard>) {
        assert!(shard.index() < shard.count());
        assert_eq!(shard.to_string().parse(), Ok(shard));
    }
    let Some(merged) = accepted(merge(&[scratch::write("results", bytes)])) else {
        return false;
    };
    assert!(str::from_utf8(first).is_ok_and(is_header));
    // A merge reads the number of an item only: the rest of its line may be no value, such as 1e999.
    if let Some(results) = accepted(merged.results::<serde_json::Value>()) {
        assert_eq!(results.len() as u64, merged.plan().items);
    }
    let text = merged.text();
    let again = merge(&[scratch::write("results", text.as_bytes())]);
    assert_eq!(again.expect("what was written can be read").text(), text);
    true
}
