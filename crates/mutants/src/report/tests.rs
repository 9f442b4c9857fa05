//! Tests of the report.

use super::*;

fn survivor(fault: &str, reason: Option<&str>) -> Survivor {
    let place = Place {
        module: "store".into(),
        fault: fault.into(),
    };
    Survivor {
        reason: reason.map(str::to_owned),
        ..Survivor::new(place)
    }
}

fn part(digest: &str, survivors: &[(&str, Option<&str>)]) -> PartReport {
    let survivors = survivors
        .iter()
        .map(|(fault, reason)| survivor(fault, *reason));
    PartReport {
        failed: 6,
        hung: 1,
        equivalent: 1,
        in_context: 1,
        survivors: survivors.collect(),
        modules: [("store".to_owned(), digest.to_owned())].into(),
        ..PartReport::new("store", 11, 1)
    }
}

fn reports(parts: [PartReport; 2]) -> Vec<Survivor> {
    let mut report = Report::default();
    parts.into_iter().for_each(|part| report.take(part));
    report.parts.remove(0).survivors
}

#[test]
fn argued_mutants_count_as_not_killed() {
    let argued = ("const0 x", Some("equivalent: so it is"));
    let report = Report {
        outdated: Vec::new(),
        yosys: "0.70".into(),
        parts: vec![part("1", &[("inv d", None), argued])],
    };
    let row = "| all |  | 11 | 7 | 1 | 2 | 1 | 1 | 1 | 77.8 % | 81.8 % |";
    assert!(report.table().contains(row), "{}", report.table());
    let page = report.page();
    assert!(
        page.contains("- `store`: `inv d`: not explained yet"),
        "{page}"
    );
    assert!(page.contains("Below it: store."), "{page}");
}

#[test]
fn a_reason_stays_as_long_as_its_fault_and_its_module() {
    let old = part("1", &[("a, line 2: x", Some("why")), ("b", Some("gone"))]);
    let new = part("1", &[("a, line 2: x", None), ("c", None)]);
    let [same, other] = &reports([old, new])[..] else {
        panic!("two survivors");
    };
    assert_eq!((same.reason.as_deref(), &same.former), (Some("why"), &None));
    assert_eq!((&other.reason, &other.former), (&None, &None));
}

#[test]
fn a_reason_for_a_module_that_has_changed_is_to_be_looked_at_again() {
    let old = part("1", &[("a, line 2: x", Some("why"))]);
    let new = part("2", &[("a, line 3: x", None)]);
    let mut report = Report::default();
    report.take(old);
    report.take(new);
    let [survivor] = &report.parts[0].survivors[..] else {
        panic!("one survivor");
    };
    assert_eq!(survivor.reason, None);
    assert_eq!(survivor.remark(), "reason to be reviewed: why");
    // The former reason stays until a person confirms it.
    report.take(part("3", &[("a, line 4: x", None)]));
    assert_eq!(report.confirm(|part| part == "tree"), 0);
    assert_eq!(report.confirm(|part| part == "store"), 1);
    assert_eq!(report.parts[0].survivors[0].reason.as_deref(), Some("why"));
}

#[test]
fn faults_with_one_name_have_no_reason_in_common() {
    let old = part("1", &[("a", Some("why"))]);
    let new = part("1", &[("a", None), ("a", None)]);
    assert!(reports([old, new]).iter().all(|it| it.reason.is_none()));
}
