//! Groups of nodes.

use crate::names::{KindOfName, Known, NameKind, asks, fails, holds};
use crate::project::Project;

pub(in crate::names) static KIND: NameKind = NameKind {
    id: KindOfName::Group,
    word: "group",
    classes: &["Node", "SceneTree"],
    calls: &[
        fails("get_nodes_in_group", &[0]),
        fails("get_first_node_in_group", &[0]),
        fails("get_node_count_in_group", &[0]),
        fails("call_group", &[0]),
        fails("call_group_flags", &[1]),
        fails("notify_group", &[0]),
        fails("notify_group_flags", &[1]),
        fails("set_group", &[0]),
        fails("set_group_flags", &[1]),
        fails("is_in_group", &[0]),
        fails("remove_from_group", &[0]),
        asks("has_group"),
    ],
    properties: &[
        holds("NavigationMesh", "geometry_source_group_name"),
        holds("NavigationPolygon", "source_geometry_group_name"),
    ],
    built_in,
};

fn built_in(project: &Project, known: &mut Known) {
    for name in &project.settings().global_groups {
        known.define_in_settings(name);
    }
}
