//! The generated files in the repository are those that would be generated now.

use std::fs;
use std::path::Path;

#[test]
fn generated_files_are_fresh() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (path, text) in scenario::generate::files() {
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(root.join(path), &text).unwrap();
        }
        let found = fs::read_to_string(root.join(path)).unwrap_or_default();
        assert!(found == text, "{path} is stale: run `make generate`");
    }
}

#[test]
fn every_reference_of_the_schema_leads_somewhere() {
    let schema: serde_json::Value = serde_json::from_str(&scenario::generate::schema()).unwrap();
    let text = schema.to_string();
    let references: Vec<&str> = text.split("#/$defs/").skip(1).collect();
    assert!(references.len() > 50);
    for reference in references {
        let name = reference.split('"').next().unwrap().replace("%20", " ");
        assert!(schema["$defs"][&name].is_object(), "{name}");
    }
}
