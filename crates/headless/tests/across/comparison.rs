//! Searches measured side by side.

use outwit_core::platform::time::Duration;
use outwit_core::play::StopFlag;
use outwit_headless::find;
use outwit_kit::SearchLimits;
use outwit_kit::comparison::{compare, csv};
use outwit_levels::list_with;

#[test]
fn searches_are_measured_side_by_side() {
    let kind = find("pukoban").unwrap();
    let entry = list_with(None, "pukoban").swap_remove(0);
    let level = kind.read(&entry.bytes().unwrap(), &entry.id).unwrap();
    let limits = SearchLimits { memory: 1 << 28, time: Duration::from_secs(60), runs: 1 };
    let searches = kind.searches();
    let levels = [("a, \"b\"".to_owned(), level)];
    let stop = StopFlag::default();
    let mut seen = 0;
    let rows = compare(kind, &levels, &searches, limits, &stop, &mut |_| seen += 1).unwrap();
    assert_eq!((rows.len(), seen), (searches.len(), searches.len()));
    assert_eq!((rows[0].planner, rows[0].ratio), ("uniform-cost", Some(1.0)));
    assert!(rows.iter().all(|row| row.length >= rows[0].length && row.bytes > 0));
    let text = csv(&rows);
    assert_eq!(text.lines().count(), rows.len() + 1);
    assert!(text.lines().nth(1).unwrap().starts_with("\"a, \"\"b\"\"\",uniform-cost,solved,"));
    let unknown = compare(kind, &levels, &["ace"], limits, &stop, &mut |_| {});
    assert!(unknown.unwrap_err().contains("choose from uniform-cost"));
    let cops = find("cops").unwrap();
    assert!(compare(cops, &[], &[], limits, &stop, &mut |_| {}).is_err());
}
