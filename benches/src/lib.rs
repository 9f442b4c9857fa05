//! Room for what the benches share; they live in `benches/`, one file for each package.
