//! Results as JUnit files, which services for continuous integration read.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// Something that was tried.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// The class that it is listed under.
    pub class: String,
    /// How long it took.
    pub wall: Duration,
    /// How it ended.
    pub status: Status,
}

/// How something that was tried ended.
#[derive(Clone, Debug)]
pub enum Status {
    /// Well, with something to say at most.
    Passed(Option<String>),
    /// Badly.
    Failed {
        /// What is wrong, in a line.
        message: String,
        /// What shows it.
        description: String,
    },
    /// Not at all, for a reason.
    Skipped(String),
}

/// A JUnit file with one suite.
///
/// # Panics
/// Never: characters that XML does not know are left out.
#[must_use]
pub fn suite(name: &str, wall: Duration, cases: impl IntoIterator<Item = Case>) -> String {
    let mut suite = TestSuite::new(name);
    suite.set_time(wall);
    for case in cases {
        let mut said = None;
        let status = match case.status {
            Status::Passed(text) => {
                said = text;
                TestCaseStatus::success()
            }
            Status::Failed {
                message,
                description,
            } => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_message(message).set_description(description);
                status
            }
            Status::Skipped(text) => {
                let mut status = TestCaseStatus::skipped();
                status.set_message(text);
                status
            }
        };
        let mut test = TestCase::new(case.name, status);
        test.set_classname(case.class).set_time(case.wall);
        if let Some(text) = said {
            test.set_system_out(text);
        }
        suite.add_test_case(test);
    }
    let mut report = Report::new("duoforge");
    report.add_test_suite(suite);
    report.to_string().expect("a report is valid XML")
}
