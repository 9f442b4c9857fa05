//! Variants from TOML: the text of each error.

use duoforge_view::read_variant;

const LEAST: &str = "name = \"least\"
size = 9
seats = 2
passing = { forced = \"played\", voluntary = \"always\" }
colours = [
    { seat = 0, starts = [[0, 0]] },
    { seat = 1, starts = [[8, 8]] },
]
";

#[test]
fn a_definition_is_read() {
    let variant = read_variant(LEAST).unwrap();
    assert_eq!(
        (variant.name(), variant.size(), variant.seat_count()),
        ("least", 9, 2)
    );
}

/// Replaces `from` in the definition; returns the error and the text at its place.
fn error(from: &str, to: &str) -> (String, String) {
    let text = LEAST.replacen(from, to, 1);
    assert_ne!(text, LEAST);
    let error = read_variant(&text).unwrap_err();
    let place = error.span().map_or("", |span| &text[span]);
    (error.to_string(), place.to_owned())
}

#[test]
fn errors_name_key_value_and_permitted_range() {
    for (from, to, message, place) in [
        (
            "size = 9",
            "size = 21",
            "size=21 is out of range: expected 5 to 20",
            "",
        ),
        (
            "size = 9",
            "size = \"nine\"",
            "line 2: size=\"nine\" is not permitted: expected 5 to 20",
            "\"nine\"",
        ),
        (
            "size = 9",
            "size = 9\nscoring = \"most\"",
            "line 3: scoring=\"most\" is not permitted: expected \"basic\", \"advanced\", \
             \"alternative\" or \"cells\"",
            "\"most\"",
        ),
        (
            "\"always\"",
            "\"often\"",
            "line 4: voluntary=\"often\" is not permitted: expected \"never\", \
             \"after-first-turn\" or \"always\"",
            "\"often\"",
        ),
        (
            "[[8, 8]]",
            "[[8, 8.5]]",
            "line 7: starts=8.5 is not permitted: expected 1 to 8 cells [x, y] of numbers from 0 \
             to size - 1",
            "8.5",
        ),
        (
            "[[8, 8]]",
            "[[8, 9]]",
            "colours[1].starts[0]=[8, 9] is not permitted: expected two numbers from 0 to 8",
            "",
        ),
        (
            "seats = 2\n",
            "",
            "the key seats is missing: expected 1 to 4",
            "",
        ),
        (
            "\"least\"",
            "\"duo\"",
            "name=\"duo\" is not permitted: expected another name than a built-in variant's",
            "",
        ),
    ] {
        assert_eq!(error(from, to), (message.to_owned(), place.to_owned()));
    }
    let (message, place) = error("size", "sizes");
    assert!(
        message.starts_with("line 2: unknown field `sizes`, expected"),
        "{message}"
    );
    assert_eq!(place, "sizes");
    let (message, _) = error("size = 9", "size =");
    assert!(message.starts_with("line 2: "), "{message}");
}
