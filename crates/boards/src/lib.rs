//! Boards as data: building bitstreams for them, loading these, projects for the vendors' tools.
