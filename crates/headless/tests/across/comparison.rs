//! Searches measured side by side.

use outwit_core::platform::time::Duration;
use outwit_core::play::StopFlag;
use outwit_headless::find;
use outwit_kit::SearchLimits;
use outwit_kit::comparison::{SavedRows, compare, compare_on, csv, csv_head};
use outwit_levels::{built_in, list_with};

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
    assert_eq!((rows[0].planner.as_str(), rows[0].ratio), ("uniform-cost", Some(1.0)));
    assert!(rows.iter().all(|row| row.length >= rows[0].length && row.bytes > 0));
    let text = csv(&rows);
    assert_eq!(text.lines().count(), rows.len() + 1);
    assert!(text.lines().nth(1).unwrap().starts_with("\"a, \"\"b\"\"\",uniform-cost,solved,"));
    let unknown = compare(kind, &levels, &["ace"], limits, &stop, &mut |_| {});
    assert!(unknown.unwrap_err().to_string().contains("choose from uniform-cost"));
    let cops = find("cops").unwrap();
    assert!(compare(cops, &[], &[], limits, &stop, &mut |_| {}).is_err());
}

/// What the manual says of levels for a lesson is what the searches do.
#[test]
fn levels_for_a_lesson_show_what_the_manual_says() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/manual/src/analysis.md");
    let page = std::fs::read_to_string(page).unwrap();
    let section = page.split("\n## ").find(|part| part.starts_with("Levels for a lesson")).unwrap();
    let limits = SearchLimits { memory: 1 << 28, time: Duration::from_secs(60), runs: 1 };
    let mut rows = 0;
    for row in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let ["", id, search, expanded, finds, ""] = cells[..] else { panic!("{row}") };
        let kind = find(id.split_once('/').unwrap().0).unwrap();
        let level = kind.read(&built_in(id).unwrap().bytes().unwrap(), id).unwrap();
        let figures = kind.measure_search(&level, search, limits, &StopFlag::default()).unwrap();
        assert_eq!(figures.expanded.to_string(), expanded, "{row}");
        let length = figures.length.unwrap().ceil().to_string();
        assert_eq!(Some(length.as_str()), finds.split(' ').next(), "{row}");
        rows += 1;
    }
    assert!(rows > 8, "{section}");
}

#[test]
fn the_yardstick_is_measured_only_for_ratios() {
    let kind = find("pukoban").unwrap();
    let entry = list_with(None, "pukoban").swap_remove(0);
    let level = kind.read(&entry.bytes().unwrap(), &entry.id).unwrap();
    let limits = SearchLimits { memory: 1 << 28, time: Duration::from_secs(60), runs: 1 };
    let rows = |has_ratios| {
        let (mut rows, stop) = (Vec::new(), StopFlag::default());
        let mut row = |row| rows.push(row);
        compare_on(kind, ("a", &level), &["best"], limits, has_ratios, &stop, &mut row).unwrap();
        assert_eq!(rows.len(), 1);
        rows.remove(0)
    };
    let (without, with) = (rows(false), rows(true));
    assert_eq!((without.ratio, without.yardstick), (None, None));
    assert_eq!((with.ratio.is_some(), with.yardstick), (true, Some("uniform-cost")));
    assert_eq!((without.limit_seconds, without.limit_bytes), (60.0, 1 << 28));
}

#[test]
fn saved_rows_are_known_again() {
    let kind = find("pukoban").unwrap();
    let entry = list_with(None, "pukoban").swap_remove(0);
    let level = kind.read(&entry.bytes().unwrap(), &entry.id).unwrap();
    let digest = kind.info(&level).unwrap().digest;
    let limits = SearchLimits { memory: 1 << 28, time: Duration::from_millis(1500), runs: 1 };
    let levels = [("a, \"b\"".to_owned(), level)];
    let stop = StopFlag::default();
    let rows = compare(kind, &levels, &["best", "greedy"], limits, &stop, &mut |_| {}).unwrap();
    let text = csv(&rows);
    let saved = SavedRows::read(&text).unwrap();
    assert_eq!((saved.len(), saved.whole), (2, text.len()));
    let named = (levels[0].0.as_str(), digest);
    let has = |planner, limits, yardstick| saved.has(named, planner, limits, yardstick);
    let yardstick = Some("uniform-cost");
    assert_eq!(has("best", limits, yardstick), Ok(true));
    assert_eq!(has("bidirectional", limits, yardstick), Ok(false));
    assert_eq!(saved.has(("b", digest), "best", limits, yardstick), Ok(false));
    for (limits, yardstick, column) in [
        (SearchLimits { memory: 1 << 20, ..limits }, yardstick, "limit_bytes"),
        (SearchLimits { time: Duration::from_secs(2), ..limits }, yardstick, "limit_seconds"),
        (limits, None, "yardstick"),
    ] {
        let why = has("best", limits, yardstick).unwrap_err().to_string();
        assert!(why.contains(column) && why.contains("the same settings"), "{why}");
    }
    let why = saved.has((named.0, digest ^ 1), "best", limits, yardstick).unwrap_err();
    let why = why.to_string();
    assert!(why.contains("digest"), "{why}");
    // A torn line is not a row, and a torn head is an empty file.
    let torn = SavedRows::read(&text[..text.len() - 5]).unwrap();
    assert_eq!((torn.len(), torn.whole), (1, text.trim_end().rfind('\n').unwrap() + 1));
    for text in ["", "level,pla"] {
        let empty = SavedRows::read(text).unwrap();
        assert!(empty.is_empty() && empty.whole == 0);
    }
    assert_eq!(SavedRows::read(&csv_head()).unwrap().whole, csv_head().len());
    for text in ["level,x", "a,b\n", "my diary", &format!("{}1,2\n", csv_head())] {
        assert!(SavedRows::read(text).is_err(), "{text}");
    }
}
