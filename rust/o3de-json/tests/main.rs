//! All integration tests of the crate, in one program: it is linked once, and its tests share the cores.

mod big_integers;
mod coercion;
mod differences;
mod documents;
mod fuzz_bodies;
mod hostile;
mod limits;
mod refused_parts;
mod reporting;
mod streaming;
mod types;
mod variant_types;
mod vectors;
