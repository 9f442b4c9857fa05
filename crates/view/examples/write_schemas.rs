//! Writes the JSON schemas of the objects to `schema/`.

use std::error::Error;
use std::fs;
use std::path::Path;

use duoforge_view::schema::{renewed, schemas};

fn main() -> Result<(), Box<dyn Error>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema");
    for (name, schema) in schemas() {
        let path = directory.join(format!("{name}.json"));
        let committed = fs::read_to_string(&path).ok();
        fs::write(&path, renewed(&schema, committed.as_deref())?)?;
    }
    Ok(())
}
