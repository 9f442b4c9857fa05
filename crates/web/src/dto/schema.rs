//! Names of the objects of `duoforge-view` in the OpenAPI document, which holds their own schemas.

use std::borrow::Cow;

use serde_json::{Map, Value};
use utoipa::openapi::{Object, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

macro_rules! named {
    ($($(#[$doc:meta])* $type:ident = $name:literal),* $(,)?) => { $(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $type;

        impl PartialSchema for $type {
            fn schema() -> RefOr<Schema> {
                Object::new().into()
            }
        }

        impl ToSchema for $type {
            fn name() -> Cow<'static, str> {
                Cow::Borrowed($name)
            }
        }
    )* };
}

named! {
    /// `duoforge_view::State`.
    StateSchema = "State",
    /// `duoforge_view::ToMove`.
    ToMoveSchema = "ToMove",
    /// `duoforge_view::TileTable`.
    TilesSchema = "TileTable",
    /// `duoforge_view::Hints`.
    HintsSchema = "Hints",
}

/// Puts the schemas of `duoforge-view` into the components of an OpenAPI document.
pub fn complete(document: &mut Value) {
    let mut components = Map::new();
    for (name, mut schema) in duoforge_view::schema::schemas() {
        let name = match name {
            "state" => "State",
            "tiles" => "TileTable",
            "hints" => "Hints",
            _ => continue,
        };
        relocate(&mut schema);
        let Value::Object(mut entries) = schema else {
            continue;
        };
        for keyword in ["$schema", "version"] {
            entries.remove(keyword);
        }
        if let Some(Value::Object(definitions)) = entries.remove("$defs") {
            components.extend(definitions);
        }
        components.insert(name.to_owned(), Value::Object(entries));
    }
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        schemas.extend(components);
    }
}

/// Redirects references to definitions of a schema to the components of the document.
fn relocate(schema: &mut Value) {
    match schema {
        Value::Object(entries) => {
            for (key, value) in entries {
                match value {
                    Value::String(text) if key == "$ref" => {
                        *text = text.replace("#/$defs/", "#/components/schemas/");
                    }
                    _ => relocate(value),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(relocate),
        _ => {}
    }
}
