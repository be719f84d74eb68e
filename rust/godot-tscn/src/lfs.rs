//! Git LFS keeps large files outside the repository.

/// The first bytes of a file that git has not fetched from its large file storage.
pub const LFS_POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1";
