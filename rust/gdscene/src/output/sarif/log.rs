//! The used part of the objects of a SARIF log. Each has the name that it has in the standard; the fields are in
//! alphabetical order, as all JSON of this program is.

use std::borrow::Cow;

use serde::Serialize;

/// `toolComponent`: the program, with all rules.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver {
    pub(super) name: &'static str,
    pub(super) rules: Vec<ReportingDescriptor>,
    pub(super) semantic_version: &'static str,
}

/// `reportingDescriptor`: a rule.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReportingDescriptor {
    pub(super) default_configuration: Configuration,
    pub(super) help: Help,
    /// The code, such as `REF007`.
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) properties: RuleProperties,
    pub(super) short_description: Message<'static>,
}

/// `reportingConfiguration`.
#[derive(Debug, Serialize)]
pub(super) struct Configuration {
    pub(super) enabled: bool,
    /// `error`, `warning` or `note`.
    pub(super) level: &'static str,
}

/// `multiformatMessageString`. GitHub shows `markdown`; the standard asks for `text`.
#[derive(Debug, Serialize)]
pub(super) struct Help {
    pub(super) markdown: String,
    pub(super) text: String,
}

/// The `propertyBag` of a rule. GitHub filters by the tags.
#[derive(Debug, Serialize)]
pub(super) struct RuleProperties {
    /// The letters of the code, such as `REF`.
    pub(super) tags: [&'static str; 1],
}

/// `result`: a diagnostic.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifResult<'d> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fixes: Option<[SarifFix<'d>; 1]>,
    /// `error`, `warning` or `note`.
    pub(super) level: &'static str,
    pub(super) locations: [Location<'d>; 1],
    pub(super) message: Message<'d>,
    pub(super) partial_fingerprints: PartialFingerprints<'d>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_locations: Vec<Location<'d>>,
    pub(super) rule_id: &'d str,
    /// The index of the rule in [`Driver::rules`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rule_index: Option<usize>,
}

/// The key of a diagnostic in another version of the file.
#[derive(Debug, Serialize)]
pub(super) struct PartialFingerprints<'d> {
    /// The number is the version of how the fingerprint is made.
    #[serde(rename = "gdscene/v1")]
    pub(super) gdscene: &'d str,
}

/// `message`, and `artifactContent` of inserted text.
#[derive(Debug, Serialize)]
pub(super) struct Message<'d> {
    pub(super) text: Cow<'d, str>,
}

/// `location`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location<'d> {
    /// The relation of the place to the diagnostic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<Message<'d>>,
    pub(super) physical_location: PhysicalLocation,
}

/// `physicalLocation`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub(super) artifact_location: ArtifactLocation,
    /// Missing for a whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) region: Option<Region>,
}

/// `artifactLocation`: a file.
#[derive(Debug, Serialize)]
pub(super) struct ArtifactLocation {
    pub(super) uri: String,
}

/// `region`. Lines and columns count from 1, columns in Unicode code points; the end is excluded.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub(super) byte_length: u32,
    pub(super) byte_offset: u32,
    pub(super) end_column: u32,
    pub(super) end_line: u32,
    pub(super) start_column: u32,
    pub(super) start_line: u32,
}

/// `fix`. Its changes belong together.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifFix<'d> {
    pub(super) artifact_changes: Vec<ArtifactChange<'d>>,
    pub(super) description: Message<'d>,
    pub(super) properties: FixProperties,
}

/// The `propertyBag` of a fix.
#[derive(Debug, Serialize)]
pub(super) struct FixProperties {
    /// `safe` or `unsafe`.
    pub(super) applicability: &'static str,
}

/// `artifactChange`: the changes of a fix in one file.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactChange<'d> {
    pub(super) artifact_location: ArtifactLocation,
    pub(super) replacements: Vec<Replacement<'d>>,
}

/// `replacement`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Replacement<'d> {
    pub(super) deleted_region: Region,
    pub(super) inserted_content: Message<'d>,
}

/// `invocation`: how the run went.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub(super) execution_successful: bool,
    pub(super) tool_execution_notifications: Vec<Notification>,
}

/// `notification`: a path that could not be checked.
#[derive(Debug, Serialize)]
pub(super) struct Notification {
    /// `error`.
    pub(super) level: &'static str,
    pub(super) locations: [Location<'static>; 1],
    pub(super) message: Message<'static>,
}
