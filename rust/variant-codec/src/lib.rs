//! variant-codec
