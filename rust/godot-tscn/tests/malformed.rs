//! Hand-written malformed files, against what Godot 4.6.3 does with each (`VERDICTS.tsv`).

use std::collections::BTreeSet;
use std::fs;

use godot_tscn::{LintOptions, Severity};
use testkit::shared::require_shared;

/// The diagnostics of each file, as errors (`E`), warnings (`W`) and remarks (`I`), each code once.
const EXPECTED: &[(&str, &str)] = &[
    ("01_comment_semicolon.tscn", "I STY006"),
    ("02_comment_hash.tscn", "E SYN003"),
    ("03_hash_in_body.tscn", "E SYN003"),
    ("04_unknown_tag.tscn", "E STR003"),
    ("05_ext_after_sub.tscn", "E STR004, W REF007, W REF008"),
    ("06_dup_ext_id.tscn", "E REF004"),
    ("07_dup_sub_id.tscn", "E REF005"),
    ("08_missing_sub.tscn", "E REF002"),
    ("09_missing_ext_id.tscn", "E REF001"),
    ("11_noeq.tscn", "E SYN002"),
    ("12_trailing_garbage.tscn", "E SYN004"),
    ("13_space_key.tscn", "E SYN005"),
    ("14_oddvec.tscn", "E SYN011"),
    ("15_trailing_commas.tscn", ""),
    ("16_vec_trailing.tscn", "E SYN014"),
    ("17_format5.tscn", "E STR002"),
    ("18_noformat.tscn", ""),
    ("19_bad_loadsteps.tscn", "I STR015"),
    ("20_orphan_conn.tscn", "E SIG001, W SIG004"),
    ("21_conn_nofrom.tscn", "E STR005"),
    ("22_missing_parent.tscn", "E TREE001"),
    ("23_two_roots.tscn", "E STR010"),
    ("24_root_parent.tscn", "E STR011"),
    ("25_no_type.tscn", "E STR011"),
    ("27_dup_sibling.tscn", "E TREE003"),
    ("28_parent_after_child.tscn", "E TREE002"),
    ("29_bom.tscn", "E SYN009"),
    ("30_crlf.tscn", "W STY002"),
    ("31_nodepath_caret.tscn", "E SYN013"),
    ("32_nonode.tscn", "E STR009, W REF008"),
    ("33_conflict.tscn", "E SYN006"),
    ("35_forward_sub.tscn", "E REF003"),
    ("37_dup_prop.tscn", "E STR008"),
    ("38_unterminated.tscn", "E SYN007"),
    ("39_bad_escape.tscn", "E SYN008, W SYN008"),
    ("40_unique_dup.tscn", "W TREE010"),
    ("41_bad_utf8.tscn", "E SYN010"),
    ("42_unknown_ctor.tscn", "E SYN015"),
    ("44_extra_after_resource.tres", "E STR013, W REF008"),
    ("48_conn_before_node.tscn", "E STR004"),
    ("49_node_no_name.tscn", "E STR012"),
    ("50_bad_name_chars.tscn", "W TREE004"),
    ("53_groups_dup.tscn", "I TREE019"),
    ("54_single_quote.tscn", "E SYN013"),
    ("55_empty.tscn", "E STR009"),
    ("57_gdscript_nonbool.tscn", "E SYN013"),
    ("58_dup_header_field.tscn", "E STR007, W STR006, W STR007"),
    ("inst_rel.tscn", ""),
];

/// Files whose fault lies outside the file or needs the engine's classes: rules of later issues.
const OF_LATER_RULES: &[(&str, &str)] = &[
    ("10_missing_ext_file.tscn", "RES001: needs the project's files"),
    ("26_unknown_class.tscn", "TREE013: needs the class database"),
    ("34_resource_in_scene.tscn", "MIG009: needs the version of Godot"),
    ("36_unknown_prop.tscn", "TREE015: needs the class database"),
    ("43_array_classtype.tscn", "TREE013: needs the class database"),
    ("45_tres_badtype.tres", "TREE013: needs the class database"),
    ("46_tres_scriptclass_mismatch.tres", "RES012: needs the project's scripts"),
    ("47_editable_missing.tscn", "TREE009"),
    ("51_ext_type_mismatch.tscn", "RES007: needs the project's files"),
    ("52_object_ctor.tscn", "TREE013: needs the class database"),
    ("56_self_instance.tscn", "RES008: needs the project's files"),
    ("security/", "harmless in the trusted profile: tests/security.rs"),
];

fn diagnostics_of(text: &[u8], name: &str) -> String {
    let report = godot_tscn::lint(text, &LintOptions::for_path(name));
    let codes: BTreeSet<_> = report
        .diagnostics
        .iter()
        .map(|diagnostic| match diagnostic.severity {
            Severity::Error => format!("E {}", diagnostic.code),
            Severity::Info => format!("I {}", diagnostic.code),
            Severity::Warning => format!("W {}", diagnostic.code),
        })
        .collect();
    codes.into_iter().collect::<Vec<_>>().join(", ")
}

#[test]
fn findings_match_the_verdicts() {
    let Some(folder) = require_shared("malformed") else { return };
    for (name, expected) in EXPECTED {
        let text = fs::read(folder.join(name)).unwrap();
        assert_eq!(diagnostics_of(&text, name), *expected, "{name}");
    }
}

#[test]
fn every_verdict_has_its_rule_or_its_reason() {
    let Some(verdicts) = require_shared("malformed/VERDICTS.tsv") else { return };
    let verdicts = fs::read_to_string(verdicts).unwrap();
    for line in verdicts.lines().skip(1) {
        let mut columns = line.split('\t');
        let (Some(name), Some(loads), Some(instantiates)) =
            (columns.next(), columns.next(), columns.next())
        else {
            panic!("not a verdict: {line}");
        };
        if OF_LATER_RULES.iter().any(|(later, _)| name.starts_with(later)) {
            continue;
        }
        let (_, expected) = EXPECTED
            .iter()
            .find(|(expected, _)| *expected == name)
            .unwrap_or_else(|| panic!("{name} is in neither table"));
        if loads == "no" || instantiates == "no" {
            assert!(expected.contains("E "), "{name} is refused, but has no error");
        }
    }
}
