//! Checks of the codec.
