//! JSON schemas of the objects, by the draft of 2020-12.
//!
//! `schema/` holds one file for each object. A test compares the files with the types. A change of
//! an object's structure needs another [`VERSION`]; a change of descriptions does not. This command
//! writes the files:
//!
//! ```text
//! cargo run -p duoforge-view --features schema --example write_schemas
//! ```

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use crate::{Action, Hints, State, TileTable, VERSION, Version};

/// The version is a constant of the schema.
impl JsonSchema for Version {
    fn schema_name() -> Cow<'static, str> {
        "Version".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "const": VERSION })
    }
}

/// Reason why a schema file cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// The structure of an object has changed, and its version has not.
    #[error(
        "the structure of the objects has changed since version {0} was written: raise VERSION in \
         crates/view/src/version.rs and describe the change in docs/formats.md"
    )]
    Unversioned(u32),
    /// The committed file is not a schema of this crate.
    #[error("the committed file is not a schema of duoforge-view")]
    Unreadable,
}

/// Returns the schemas by name of their file, without its extension.
#[must_use]
pub fn schemas() -> [(&'static str, Value); 4] {
    [
        ("action", schema::<Action>()),
        ("hints", schema::<Hints>()),
        ("state", schema::<State>()),
        ("tiles", schema::<TileTable>()),
    ]
}

/// Returns the schema of serialised values of a type. The keyword `version` holds [`VERSION`].
fn schema<T: JsonSchema>() -> Value {
    let generator = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator();
    let mut schema = generator.into_root_schema_for::<T>();
    schema.insert("version".to_owned(), VERSION.into());
    let mut schema = schema.to_value();
    join_lines(&mut schema);
    schema
}

/// Joins the lines of the descriptions, which are those of doc comments.
fn join_lines(schema: &mut Value) {
    match schema {
        Value::Object(entries) => {
            for (key, value) in entries {
                match value {
                    Value::String(text) if key == "description" => {
                        let paragraphs: Vec<_> =
                            text.split("\n\n").map(|it| it.replace('\n', " ")).collect();
                        *text = paragraphs.join("\n\n");
                    }
                    _ => join_lines(value),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(join_lines),
        _ => {}
    }
}

/// Returns the text of a schema file that replaces the committed text, if there is one.
///
/// # Errors
///
/// If the structure has changed and the version has not.
pub fn renewed(schema: &Value, committed: Option<&str>) -> Result<String, SchemaError> {
    if let Some(committed) = committed {
        let committed: Value =
            serde_json::from_str(committed).map_err(|_| SchemaError::Unreadable)?;
        let version = committed["version"].as_u64();
        let version = version.ok_or(SchemaError::Unreadable)? as u32;
        if version == VERSION && structure(&committed) != structure(schema) {
            return Err(SchemaError::Unversioned(version));
        }
    }
    Ok(format!("{schema:#}\n"))
}

/// Returns a schema without its descriptions.
fn structure(schema: &Value) -> Value {
    match schema {
        Value::Object(entries) => {
            let entries = entries.iter().filter(|(key, _)| *key != "description");
            let entries = entries.map(|(key, value)| (key.clone(), structure(value)));
            Value::Object(entries.collect())
        }
        Value::Array(values) => Value::Array(values.iter().map(structure).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_changed_structure_needs_another_version() {
        let (_, schema) = schemas()
            .into_iter()
            .find(|(name, _)| *name == "state")
            .unwrap();
        let text = renewed(&schema, None).unwrap();
        assert_eq!(renewed(&schema, Some(&text)).as_deref(), Ok(text.as_str()));
        // Descriptions may change.
        let mut described = schema.clone();
        described["description"] = json!("another sentence");
        described["properties"]["ply"]["description"] = json!("another sentence");
        let described = described.to_string();
        assert_eq!(
            renewed(&schema, Some(&described)).as_deref(),
            Ok(text.as_str())
        );
        // A field that is absent, one that is added, a wider range.
        let mut fewer = schema.clone();
        fewer["properties"].as_object_mut().unwrap().remove("ply");
        let mut more = schema.clone();
        more["properties"]["moves"] = json!({ "type": "array" });
        let mut wider = schema.clone();
        wider["$defs"]["ToMove"]["properties"]["seat"]["maximum"] = json!(4);
        for changed in [&fewer, &more, &wider] {
            assert_ne!(*changed, schema);
            let error = Err(SchemaError::Unversioned(VERSION));
            assert_eq!(renewed(changed, Some(&text)), error);
            // An older version is replaced.
            let mut older = changed.clone();
            older["version"] = json!(VERSION - 1);
            assert!(renewed(&schema, Some(&older.to_string())).is_ok());
        }
        for broken in ["", "[]", "{}"] {
            assert_eq!(renewed(&schema, Some(broken)), Err(SchemaError::Unreadable));
        }
    }
}
