//! The table of `docs/speed.md` on text scenes, from the rows of `scripts/bench.sh tscn`.

use std::fmt::Write;

use serde::Deserialize;

use super::format;

/// The suite of the rows.
const SUITE: &str = "tscn";

/// The workloads that all get to read, with what they are.
const WORKLOADS: [(&str, &str); 5] = [
    ("demos_alone", "Godot's demos that need no other file"),
    ("exported", "`.escn` files"),
    ("nodes_10", "many nodes"),
    ("array_10", "one long array"),
    ("dictionary_10", "one long dictionary"),
];

/// Who is measured, as a column.
const COLUMNS: [(&str, &str); 5] = [
    ("ResourceLoader.load", "`ResourceLoader.load`"),
    ("lint", "check"),
    ("format", "format"),
    ("tree-sitter", "tree-sitter"),
    ("godot_parser", "godot_parser"),
];

/// As the bench writes it (scripts/bench/tscn.sh).
#[derive(Debug, Deserialize)]
pub(crate) struct Row {
    suite: String,
    workload: String,
    what: String,
    files: u64,
    bytes: u64,
    seconds: f64,
    mb_per_s: f64,
    ratio: Option<f64>,
    memory: Option<f64>,
}

/// The rows, if they are of this suite.
pub(crate) fn rows(json: &str) -> Option<Vec<Row>> {
    let rows: Vec<Row> = serde_json::from_str(json).ok()?;
    (!rows.is_empty() && rows.iter().all(|row| row.suite == SUITE)).then_some(rows)
}

/// Two Markdown tables: speed beside the others, and time and memory of single files.
pub(crate) fn table(rows: &[Row]) -> String {
    let row = |workload: &str, what: &str| {
        rows.iter().find(|row| row.workload == workload && row.what == what)
    };
    let mut table = String::from("Megabytes in a second on one core, and files read:\n\n| |");
    for (_, title) in COLUMNS {
        let _ = write!(table, " {title} |");
    }
    table.push_str("\n|---|---|---|---|---|---|\n");
    for (workload, title) in WORKLOADS {
        let cells = COLUMNS.map(|(what, _)| row(workload, what).map_or("-".into(), cell));
        if cells.iter().any(|cell| cell != "-") {
            let _ = writeln!(table, "| {title} | {} |", cells.join(" | "));
        }
    }
    let single = |size: u32| row(&format!("nodes_{size}"), "lint");
    let sizes = [1, 10, 100].map(single);
    if let [Some(small), Some(medium), Some(large)] = sizes {
        let each = [small, medium, large].map(|row| {
            let memory = row.memory.map_or(String::new(), |memory| format!(", {memory:.1}x"));
            let (bytes, time) = (format::bytes(row.bytes), row.seconds * 1000.0);
            format!("{bytes} in {time:.0} ms{memory}")
        });
        let _ = writeln!(
            table,
            "\nOne file checked by the library, and the memory that it took by its size: {}.",
            each.join("; ")
        );
    }
    if let Some(command) = row("demo_projects", "gdscene check") {
        let _ = writeln!(
            table,
            "`gdscene check` of {} files, {}: {:.0} ms.",
            command.files,
            format::bytes(command.bytes),
            command.seconds * 1000.0
        );
    }
    table
}

/// Speed, how many times that of the engine, and files.
fn cell(row: &Row) -> String {
    if row.files == 0 {
        return "none".to_owned();
    }
    let speed = match row.mb_per_s {
        speed if speed < 10.0 => format!("{speed:.1}"),
        speed => format!("{speed:.0}"),
    };
    let ratio = match row.ratio {
        Some(ratio) if row.what != "ResourceLoader.load" && ratio >= 1.0 => {
            format!(", **{ratio:.1}x**")
        }
        Some(ratio) if row.what != "ResourceLoader.load" => format!(", {ratio:.2}x"),
        _ => String::new(),
    };
    let files = if row.files == 1 { String::new() } else { format!(" ({})", row.files) };
    format!("{speed}{ratio}{files}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &str = r#"[
        {"suite": "tscn", "workload": "nodes_10", "what": "lint", "files": 1, "bytes": 10000000,
         "seconds": 0.05, "mb_per_s": 200.0, "ratio": 20.0, "memory": 3.1},
        {"suite": "tscn", "workload": "nodes_10", "what": "ResourceLoader.load", "files": 1,
         "bytes": 10000000, "seconds": 1, "mb_per_s": 9.96, "ratio": 1.0, "memory": null},
        {"suite": "tscn", "workload": "nodes_10", "what": "godot_parser", "files": 0, "bytes": 0,
         "seconds": 0, "mb_per_s": 0, "ratio": null, "memory": null}
    ]"#;

    #[test]
    fn one_line() {
        let table = table(&rows(ROWS).unwrap());
        let line = table.lines().last().unwrap();
        assert_eq!(line, "| many nodes | 10.0 | 200, **20.0x** | - | - | none |");
    }

    #[test]
    fn other_rows() {
        assert!(rows("[]").is_none());
        assert!(rows(&ROWS.replace("\"tscn\"", "\"codec\"")).is_none());
        assert!(rows("{").is_none());
    }
}
