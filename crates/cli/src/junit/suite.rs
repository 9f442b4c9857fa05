//! JUnit files, which continuous integration services read.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// Test case.
#[derive(Clone, Debug)]
pub struct Case {
    /// Name of the test case.
    pub name: String,
    /// Class that the test case is listed under.
    pub class: String,
    /// Wall-clock time.
    pub wall: Duration,
    /// Result.
    pub status: Status,
}

/// Result of a test case.
#[derive(Clone, Debug)]
pub enum Status {
    /// Success, with optional output.
    Passed(Option<String>),
    /// Failure.
    Failed {
        /// Fault, in one line.
        message: String,
        /// Details of the fault.
        description: String,
    },
    /// Case that was not run, with the reason.
    Skipped(String),
}

/// Returns a JUnit file with one suite.
///
/// # Panics
/// Never: characters that are invalid in XML are removed.
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
