//! The meaning of the sections of one document together: the defined ids, and the tree of nodes.

pub(crate) mod animations;
pub(crate) mod facts;
pub(crate) mod field_name;
pub(crate) mod fresh_ids;
pub(crate) mod indexed;
pub(crate) mod node_tree;
pub(crate) mod repeats;
pub(crate) mod resource_ids;
pub(crate) mod section_order;
pub(crate) mod untrusted;
