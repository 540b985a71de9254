#![allow(clippy::unwrap_used)]

use super::plot::{Bar, intervals, logarithmic};
use super::*;
use crate::find;
use outwit_core::platform::time::Duration;
use outwit_core::play::{Budget, StopFlag};
use outwit_core::tournament::{Contest, ContestLevel, Entrants, OpeningSource, Scoreboard};
use outwit_kit::SearchLimits;
use outwit_kit::comparison::compare_on;
use outwit_kit::tournament::contest;
use outwit_levels::built_in;

fn board(game: &str, level: &str, seats: &[Entrants]) -> Scoreboard {
    let kind = find(game).unwrap();
    let text = String::from_utf8(built_in(level).unwrap().bytes().unwrap()).unwrap();
    let level = ContestLevel::new(level.into(), text);
    let contest = contest(kind, level, seats, (3, 4), Budget::Work(500)).unwrap();
    let games = kind.run_contest(&contest, Vec::new(), &StopFlag::default(), &|_| Ok(())).unwrap();
    Scoreboard::new(contest, games)
}

/// The elements of a page that are not closed.
fn unclosed(page: &str) -> Vec<String> {
    let mut open = Vec::new();
    for tag in page.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap();
        let name = tag.split_whitespace().next().unwrap_or_default();
        if let Some(closed) = name.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(closed));
        } else if !tag.ends_with('/') && !["!DOCTYPE", "meta", "img"].contains(&name) {
            open.push(name.to_owned());
        }
    }
    open
}

#[test]
fn a_tournament_becomes_one_page() {
    let kind = find("cops").unwrap();
    let seats =
        [Entrants::new("thief", ["evader", "runner"]), Entrants::new("cops", ["pack", "chasers"])];
    let board = board("cops", "cops/tiny", &seats);
    let replay = |game: &_| kind.replay_text(board.contest(), game, &StopFlag::default()).ok();
    let picture = |text: &str| Some(text.as_bytes()[..3].to_vec());
    let page = tournament_report(kind, &board, &replay, &picture, false).unwrap();
    assert_eq!(unclosed(&page), [""; 0]);
    assert_eq!(page.matches("<figure>").count(), 8);
    let command = "outwit match cops tiny --seat thief=evader,runner --seat cops=pack,chasers \
                   --games 4 --seed 3 --budget 500w";
    assert!(page.contains(command), "{page}");
    assert!(page.contains("seeds 3 to 6 for each"));
    for words in ["Ratings", "Paired differences", "All statistics", "evader – pack"] {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("http"), "it needs nothing from elsewhere but its pictures");
    let without = tournament_report(kind, &board, &replay, &|_| None, false).unwrap();
    assert!(!without.contains("<figure>"));
}

#[test]
fn the_chart_of_payoffs_is_a_file_of_its_own() {
    let kind = find("cops").unwrap();
    let seats =
        [Entrants::new("thief", ["evader", "runner"]), Entrants::new("cops", ["pack", "chasers"])];
    let board = board("cops", "cops/tiny", &seats);
    for seat in 0..2 {
        let svg = payoff_chart(kind, &board, seat).unwrap();
        assert!(svg.starts_with("<svg xmlns=") && svg.trim_end().ends_with("</svg>"), "{svg}");
        assert_eq!(unclosed(&svg), [""; 0]);
        assert_eq!(svg.matches("<circle").count(), 4);
        assert!(svg.contains("evader – pack"));
    }
    assert_eq!(payoff_chart(kind, &board, 7), None, "there is no such seat");
    let none = Scoreboard::new(board.contest().clone(), []);
    assert_eq!(payoff_chart(kind, &none, 0), None);
}

#[test]
fn the_same_games_are_promised_only_where_the_command_plays_them() {
    let kind = find("stealth").unwrap();
    let board = board("stealth", "stealth/01-way-in", &[Entrants::new("thief", ["exact"])]);
    let promise = "this command plays the same games on every machine";
    let says = |contest: Contest| {
        let board = Scoreboard::new(contest, board.all().cloned().collect::<Vec<_>>());
        tournament_report(kind, &board, &|_| None, &|_| None, false).unwrap()
    };
    assert!(says(board.contest().clone()).contains(promise));
    let openings = Some(OpeningSource::Found);
    let page = says(Contest { openings, ..board.contest().clone() });
    assert!(!page.contains(promise) && page.contains("add the same openings"));
}

#[test]
fn names_from_outside_cannot_break_the_page() {
    let kind = find("stealth").unwrap();
    let mut board = board("stealth", "stealth/01-way-in", &[Entrants::new("thief", ["exact"])]);
    let mut contest = board.contest().clone();
    contest.level.id = "<script>x</script>'\"&.ron".into();
    board = Scoreboard::new(contest, board.all().cloned().collect::<Vec<_>>());
    let page = tournament_report(kind, &board, &|_| None, &|_| None, false).unwrap();
    assert!(!page.contains("<script>"));
    assert_eq!(unclosed(&page), [""; 0]);
}

#[test]
fn nothing_of_a_saved_tournament_passes_raw_into_the_page() {
    let kind = find("mnk").unwrap();
    let mut board = board(
        "mnk",
        "mnk/3x3x3",
        &[Entrants::new("x", ["classic"]), Entrants::new("o", ["novice"])],
    );
    let odd = "--csv=x\u{202e}\0\n\u{200b}";
    let mut contest = board.contest().clone();
    contest.level.id = odd.into();
    contest.seats[0].planners = vec![format!("engine:{odd}@50ms").into()];
    let games = board.all().cloned().map(|mut game| {
        game.players[0] = format!("engine:{odd}@50ms");
        game.outcome.places[0].ending = odd.into();
        game
    });
    board = Scoreboard::new(contest, games.collect::<Vec<_>>());
    let page =
        tournament_report(kind, &board, &|_| Some(String::new()), &|_| Some(Vec::new()), false)
            .unwrap();
    let (_, body) = page.split_once("<body>").unwrap();
    assert!(!outwit_core::escape::hides(&page.replace('\n', "")), "{page}");
    assert_eq!(unclosed(&page), [""; 0]);
    assert!(
        page.contains(
            "<title>k in a row: tournament on --csv=x\\u{202e}\\u{0}\\n\\u{200b}</title>"
        ),
        "{page}"
    );
    let odd = r"--csv=x\342\200\256\000\012\342\200\213";
    let command =
        format!("<pre>outwit match mnk --seat $&#39;x=engine:{odd}@50ms&#39; --seat o=novice");
    assert!(body.contains(&command), "{body}");
    assert!(body.contains(&format!(" -- $&#39;{odd}&#39;</pre>")), "{body}");
    assert!(body.contains("The command starts this program: --csv=x"), "{body}");
}

#[test]
fn without_times_equal_runs_have_equal_pages() {
    let kind = find("stealth").unwrap();
    let board = board("stealth", "stealth/01-way-in", &[Entrants::new("thief", ["exact"])]);
    let page = |milliseconds, no_times| {
        let games = board.all().cloned().map(|mut game| {
            for stats in &mut game.stats {
                stats.thought.fill(Duration::from_millis(milliseconds));
            }
            game
        });
        let board = Scoreboard::new(board.contest().clone(), games.collect::<Vec<_>>());
        tournament_report(kind, &board, &|_| None, &|_| None, no_times).unwrap()
    };
    assert_ne!(page(1, false), page(70, false));
    assert_eq!(page(1, true), page(70, true));
}

#[test]
fn a_comparison_becomes_one_page() {
    let kind = find("pukoban").unwrap();
    let id = "pukoban/02-first-pull";
    let level = kind.read(&built_in(id).unwrap().bytes().unwrap(), id).unwrap();
    let mut rows = Vec::new();
    let limits = SearchLimits { memory: 1 << 28, time: Duration::from_secs(60), runs: 1 };
    let searches = ["greedy", "best"];
    compare_on(kind, (id, &level), &searches, limits, true, &StopFlag::default(), &mut |row| {
        rows.push(row);
    })
    .unwrap();
    let page = comparison_report(kind, &rows);
    assert_eq!(unclosed(&page), [""; 0]);
    assert!(page.contains("--level pukoban/02-first-pull --planner greedy --planner best"));
    assert!(page.contains("<td class=\"word\">best</td><td>1</td><td>1</td><td>1</td>"), "{page}");
    assert_eq!(unclosed(&comparison_report(kind, &[])), [""; 0], "nothing was measured");
}

#[test]
fn plots_stay_within_their_bounds() {
    let bar = |value, ci95| Bar { name: "a < b".into(), value, ci95 };
    for bars in [
        vec![bar(0.0, None)],
        vec![bar(5.0, Some(0.0)), bar(5.0, None)],
        vec![bar(-1e9, Some(1e8)), bar(1e-9, None), bar(f64::NAN, None)],
        vec![bar(f64::INFINITY, None)],
        Vec::new(),
    ] {
        for plot in [intervals(&bars, "turns"), logarithmic(&bars, "ms")] {
            assert!(!plot.contains("NaN") && !plot.contains("inf"), "{plot}");
            let places = plot.split("x1=\"").skip(1).filter_map(|rest| rest.split('"').next());
            for place in places {
                let place: f64 = place.parse().unwrap();
                assert!((220.0 - 1e-6..=740.0 + 1e-6).contains(&place), "{plot}");
            }
        }
    }
}

#[test]
fn figures_are_short() {
    for (value, text) in [
        (0.0, "0"),
        (12.0, "12"),
        (-1234567.0, "-1,234,567"),
        (1234.56, "1,235"),
        (12.345, "12.35"),
        (0.1234, "0.123"),
        (0.00012, "1.2e-4"),
        (f64::NAN, "–"),
    ] {
        assert_eq!(figure(value), text);
    }
}
