//! Tables of the dependencies that are allowed, and of those that are forbidden.

/// Allowed dependencies of each crate on crates of the workspace, without the prefix `duoforge-`;
/// the program is `cli`. The table does not limit dev-dependencies: rule 6 does.
pub const ALLOWED: &[(&str, &str)] = &[
    ("rules", ""),
    ("protocol", ""),
    ("process", ""),
    ("journal", ""),
    ("rating", ""),
    ("arbitrary", ""),
    ("shards", ""),
    ("twin", "rules protocol"),
    ("engine", "rules twin"),
    ("maxn", "rules twin"),
    ("gtp", "rules process"),
    ("records", "rules"),
    ("pictures", "rules"),
    ("view", "rules"),
    ("page", "rules view"),
    ("bots", "rules process view"),
    ("links", "protocol process"),
    ("tools", "process"),
    ("referee", "rules protocol links"),
    ("conform", "rules protocol process view twin links referee"),
    (
        "players",
        "rules protocol links twin engine maxn gtp bots referee",
    ),
    (
        "lab",
        "rules twin engine gtp process records rating players shards maxn",
    ),
    (
        "tournament",
        "rules protocol journal rating pictures page twin referee players",
    ),
    (
        "web",
        "rules protocol view journal records pictures page links twin engine maxn referee conform \
         players tournament",
    ),
    ("hdl", "rules protocol twin"),
    ("sim", "rules protocol twin hdl links process tools"),
    ("targets", "protocol hdl tools"),
    ("prover", "rules twin hdl tools shards"),
    ("mutants", "tools shards"),
    ("python", "rules view records pictures twin engine maxn"),
    ("xtask", "tools shards"),
    (
        "fuzz",
        "rules protocol gtp records view links journal players tournament shards",
    ),
    ("tests", "rules"),
    ("benches", ""),
    (
        "cli",
        "rules protocol process journal rating twin engine gtp records pictures links tools \
         view page bots referee conform players tournament web hdl sim targets shards",
    ),
];

/// Forbidden dependencies over any number of crates, rules 1 to 4: rule, dependent crates,
/// dependencies. `*` stands for every crate.
pub const NEVER: &[(u8, &str, &str)] = &[
    (
        1,
        "referee players conform tournament lab journal rating records pictures view page web python",
        "hdl sim targets prover mutants",
    ),
    (2, "referee", "twin engine maxn gtp bots players"),
    (2, "conform", "players engine maxn gtp bots"),
    (
        3,
        "hdl sim targets prover mutants",
        "referee players conform tournament journal records engine maxn gtp",
    ),
    (3, "hdl targets prover", "links"),
    (4, "protocol rules", "*"),
    (4, "records", "gtp"),
    (4, "twin", "engine maxn links"),
    (4, "*", "cli lab xtask benches python fuzz"),
];

/// Rule 5: outside packages by prefix, the crates that may depend on them, and those that may do so
/// in their tests alone.
pub const OUTSIDE: &[(&str, &str, &str)] = &[
    ("rust-hdl", "hdl prover", "tests"),
    ("serialport", "links", ""),
    ("quick-junit", "cli", ""),
];

/// True if the list holds the word, or is `*`.
pub fn has(list: &str, word: &str) -> bool {
    list == "*" || list.split_whitespace().any(|other| other == word)
}
