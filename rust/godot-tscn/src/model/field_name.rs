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
            pub(crate) fn is_in(self, kind: TagKind) -> bool {
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

    /// The names of the fields that a tag of `kind` has.
    pub(crate) fn all_in(kind: TagKind) -> impl Iterator<Item = &'static str> {
        let rows = ROWS.iter().filter(move |(_, field)| field.is_in(kind));
        rows.map(|(name, _)| *name)
    }
}

/// A set of names.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FieldNames(u32);

const _: () = assert!(ROWS.len() <= u32::BITS as usize);

impl FieldNames {
    /// Whether `name` is in the set.
    #[inline]
    pub(crate) fn contains(self, name: FieldName) -> bool {
        self.0 >> name as u32 & 1 != 0
    }

    /// Adds `name`. Returns whether it is new.
    #[inline]
    pub(crate) fn insert(&mut self, name: FieldName) -> bool {
        let is_new = !self.contains(name);
        self.0 |= 1 << name as u32;
        is_new
    }
}
