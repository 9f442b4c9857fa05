//! Game trees.

use duoforge_records::TreeData;
use duoforge_view::Version;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// Game tree in one of its two forms.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TreeRequest {
    /// Text of a blksgf file.
    Blksgf(String),
    /// Nodes of the tree.
    #[serde(deserialize_with = "tree_of_objects")]
    Tree(TreeData),
}

/// Reads a tree whose nodes and properties are objects. serde alone takes arrays of their values too,
/// which the schema does not permit.
fn tree_of_objects<'de, D: Deserializer<'de>>(deserializer: D) -> Result<TreeData, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let entries = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
    let nodes = entries(&value, "nodes");
    let properties = nodes.iter().flat_map(|node| entries(node, "properties"));
    if let Some(other) = [&value]
        .into_iter()
        .chain(&nodes)
        .chain(&properties.collect::<Vec<_>>())
        .find(|it| !it.is_object())
    {
        let found: String = other.to_string().chars().take(40).collect();
        return Err(Error::custom(format!("expected an object, found {found}")));
    }
    TreeData::deserialize(value).map_err(Error::custom)
}

/// Game tree in both forms.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct TreeDocument {
    /// Version of the object.
    #[schema(value_type = u32)]
    pub version: Version,
    /// Nodes of the tree, in the order of the lines.
    pub tree: TreeData,
    /// Text of a blksgf file with the tree.
    pub blksgf: String,
    /// Number of games in the file, of which this is the first one.
    pub games: usize,
    /// Number of moves after the ends of their lines, which were left out.
    pub left_out: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_and_properties_are_objects() {
        let read = |text: &str| serde_json::from_str::<TreeRequest>(text);
        let tree =
            r#"{"tree":{"variant":"duo","nodes":[{"properties":[{"name":"XX","values":["1"]}]}]}}"#;
        assert!(matches!(read(tree).unwrap(), TreeRequest::Tree(tree) if tree.nodes.len() == 1));
        for (text, found) in [
            (r#"{"tree":["duo",[],{},[{}]]}"#, "found [\"duo\""),
            (
                r#"{"tree":{"variant":"duo","nodes":[[null,null]]}}"#,
                "found [null,null]",
            ),
            (
                r#"{"tree":{"variant":"duo","nodes":[{"properties":[["XX",["1"]]]}]}}"#,
                "found [\"XX\"",
            ),
            (r#"{"tree":{"variant":"duo"}}"#, "missing field `nodes`"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(found), "{error}");
        }
    }
}
