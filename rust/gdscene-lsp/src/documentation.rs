//! The texts of Godot's class reference on classes, properties and signals, as Markdown.
//!
//! The texts are those of one version (`scripts/data/class_db.sh`), shortened to their first paragraphs; they also describe older
//! versions of Godot 4.

use std::collections::HashMap;
use std::sync::OnceLock;

const TEXTS: &str = include_str!("../data/documentation.txt");

/// The purpose of a class.
pub(crate) fn of_class(class: &str) -> Option<&'static str> {
    let text = texts().get(class)?.lines().next()?;
    (!text.is_empty()).then_some(text)
}

/// The purpose of a property or signal that a class declares itself.
pub(crate) fn of_member(class: &str, name: &str) -> Option<&'static str> {
    let members = texts().get(class)?.lines().skip(1);
    members
        .filter_map(|line| line.split_once('\t'))
        .find(|(found, _)| *found == name)
        .map(|(_, text)| text)
}

/// By class: a line for it, and one for each member.
fn texts() -> &'static HashMap<&'static str, &'static str> {
    static TEXTS_BY_CLASS: OnceLock<HashMap<&str, &str>> = OnceLock::new();
    TEXTS_BY_CLASS.get_or_init(|| {
        TEXTS.split("\n=").skip(1).filter_map(|block| block.split_once('\n')).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_and_their_members() {
        assert!(of_class("Node2D").unwrap().starts_with("A 2D game object"));
        assert!(of_member("Node2D", "position").unwrap().starts_with("Position, relative to"));
        assert!(of_member("Area2D", "body_entered").unwrap().contains("PhysicsBody2D"));
        assert_eq!(of_member("Node2D", "body_entered"), None);
        assert_eq!(of_class("Nothing"), None);
    }

    /// Classes without a text in Godot's own reference. `CSharpScript` is not in the engine that wrote the
    /// texts.
    const WITHOUT_TEXT: [&str; 19] = [
        "AudioStreamPlaybackOggVorbis",
        "AudioStreamPlaybackResampled",
        "CSharpScript",
        "EditorSceneFormatImporterGLTF",
        "FBXState",
        "GLTFAnimation",
        "GLTFDocumentExtensionConvertImporterMesh",
        "GLTFSkeleton",
        "GLTFSkin",
        "ImporterMeshInstance3D",
        "OggPacketSequencePlayback",
        "PacketPeerExtension",
        "PolygonPathFinder",
        "ScriptExtension",
        "ScriptLanguageExtension",
        "Skin",
        "StreamPeerExtension",
        "WebRTCDataChannelExtension",
        "WebRTCPeerConnectionExtension",
    ];

    /// Another class that the linter knows and the texts do not was added since: `scripts/data/class_db.sh` writes both.
    #[test]
    fn every_class_is_described() {
        let classes = godot_project::ClassDb::for_version(godot_tscn::GodotVersion::godot4(6));
        let is_usual =
            |name: &&str| classes.class(name).is_some_and(godot_project::Class::is_instantiable);
        let mut missing: Vec<_> = classes
            .class_names()
            .filter(is_usual)
            .filter(|name| of_class(name).is_none())
            .collect();
        missing.sort_unstable();
        assert_eq!(missing, WITHOUT_TEXT);
    }
}
