//! Puts the rule pages into the binary, so that `kitsoki explain` needs no files.

use std::fmt::Write as _;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pages = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("../docs/rules");
    println!("cargo::rerun-if-changed={}", pages.display());
    let mut found: Vec<(String, String)> = Vec::new();
    if let Ok(entries) = std::fs::read_dir(&pages) {
        for entry in entries {
            let path = entry?.path();
            let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default().to_owned();
            if path.extension().is_some_and(|e| e == "md") && stem != "README" {
                println!("cargo::rerun-if-changed={}", path.display());
                found.push((stem, std::fs::read_to_string(&path)?));
            }
        }
    }
    found.sort();
    let mut code = String::from("/// The pages by rule id, sorted.\nstatic RULE_PAGES: &[(&str, &str)] = &[\n");
    for (id, text) in &found {
        writeln!(code, "    ({id:?}, {text:?}),")?;
    }
    code.push_str("];\n");
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("rule_pages.rs"), code)?;
    Ok(())
}
