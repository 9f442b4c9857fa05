//! Version numbers in the outputs of programs.

/// Version number: its parts, as in 5.6 for `5.006`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(Vec<u32>);

impl Version {
    /// Finds the first number with a point in a text.
    pub fn find(text: &str) -> Option<Self> {
        let digit = |c: char| c.is_ascii_digit();
        let words = text.split(|c: char| !digit(c) && c != '.');
        let parts = |word: &str| -> Option<Vec<u32>> {
            let word = word.trim_matches('.');
            let parts = word.split('.').map(|part| part.parse().ok());
            parts.collect::<Option<Vec<_>>>()
        };
        words
            .filter_map(parts)
            .find(|parts| parts.len() > 1)
            .map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Vec<u32> {
        Version::find(text).expect("a version").0
    }

    #[test]
    fn versions_are_found_in_what_programs_print() {
        for (text, expected) in [
            (
                "Verilator 5.006 2023-01-22 rev (Debian 5.006-3)",
                vec![5, 6],
            ),
            ("Yosys 0.23 (git sha1 7ce5011c24b)", vec![0, 23]),
            ("\"nextpnr-ecp5\" -- (Version nextpnr-0.7)", vec![0, 7]),
            ("openFPGALoader v0.10.0", vec![0, 10, 0]),
            ("c++ (Debian 12.2.0-14) 12.2.0", vec![12, 2, 0]),
            (
                "Apple clang version 15.0.0 (clang-1500.3.9.4)",
                vec![15, 0, 0],
            ),
        ] {
            assert_eq!(version(text), expected, "{text}");
        }
        for text in ["", "no version", "version 7", "a . b", "99999999999.1"] {
            assert_eq!(Version::find(text), None, "{text}");
        }
    }

    #[test]
    fn parts_are_compared_as_numbers() {
        assert!(version("5.006") < version("5.20"));
        assert!(version("5.20") < version("5.020.1"));
        assert!(version("10.1") > version("9.9"));
    }
}
