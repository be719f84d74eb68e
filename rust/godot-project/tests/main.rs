//! All integration tests of the crate, in one program: it is linked once, and its tests share the cores.

mod last_committed;

mod unmerged;
