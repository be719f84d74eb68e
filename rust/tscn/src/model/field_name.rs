//! The fields of tags that Godot 2 to 4.7 write and read (`ResourceLoaderText::open`, `load`, `_parse_node_tag`,
//! scene/resources/resource_format_text.cpp).

use crate::document::TagKind;
use crate::names::Names;

macro_rules! fields {
    ($($name:literal $field:ident: $($kind:ident)|*,)*) => {
        /// The name of a field that at least one tag has.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum FieldName {
            $($field,)*
        }

        const ROWS: [(&str, FieldName); [$($name),*].len()] = [$(($name, FieldName::$field)),*];

        impl FieldName {
            /// Whether a tag of `kind` has the field.
            pub(crate) fn is_of(self, kind: TagKind) -> bool {
                match self {
                    $(Self::$field => matches!(kind, $(TagKind::$kind)|*),)*
                }
            }
        }
    };
}

fields! {
    "name" Name: Node,
    "type" Type: GdResource | ExtResource | SubResource | Node,
    "script_class" ScriptClass: GdResource,
    "load_steps" LoadSteps: GdScene | GdResource,
    "format" Format: GdScene | GdResource,
    "uid" Uid: GdScene | GdResource | ExtResource,
    "path" Path: ExtResource | Editable,
    "id" Id: ExtResource | SubResource,
    "parent" Parent: Node,
    "parent_id_path" ParentIdPath: Node,
    "owner" Owner: Node,
    "owner_uid_path" OwnerUidPath: Node,
    "index" Index: Node,
    "unique_id" UniqueId: Node,
    "node_paths" NodePaths: Node,
    "groups" Groups: Node,
    "instance" Instance: Node,
    "instance_placeholder" InstancePlaceholder: Node,
    "signal" Signal: Connection,
    "from" From: Connection,
    "to" To: Connection,
    "method" Method: Connection,
    "flags" Flags: Connection,
    "from_uid_path" FromUidPath: Connection,
    "to_uid_path" ToUidPath: Connection,
    "unbinds" Unbinds: Connection,
    "binds" Binds: Connection,
}

impl FieldName {
    /// The field called `name`.
    #[inline]
    pub(crate) fn of(name: &[u8]) -> Option<Self> {
        static NAMES: Names<FieldName, { ROWS.len() }> = Names::new(ROWS);
        NAMES.get(name)
    }

    /// A bit for a set of names.
    #[inline]
    pub(crate) fn bit(self) -> u32 {
        1 << self as u32
    }

    /// The names of the fields that a tag of `kind` has.
    pub(crate) fn all_of(kind: TagKind) -> impl Iterator<Item = &'static str> + Clone {
        let rows = ROWS.iter().filter(move |(_, field)| field.is_of(kind));
        rows.map(|(name, _)| *name)
    }
}
