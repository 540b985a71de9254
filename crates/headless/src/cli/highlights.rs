//! `outwit highlights`.

use super::film::{AnimationFiles, FilmStyle, WantedFilm, write_film};
use super::names::game;
use super::table::grid;
use super::window::Window;
use super::{Answer, ExitStatus, Failure, eprint_line, print_json, print_line, print_lines};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use outwit_core::platform::interrupt::hold;
use outwit_core::platform::paths::try_file;
use outwit_core::tournament::{Contest, Merged, Scoreboard, merge};
use outwit_kit::DynGame;
use outwit_kit::tournament::{Moment, Moments, best_moments, check_contest};
use std::path::PathBuf;

/// List the best moments of a saved tournament: where its games turned most, and which were over soonest.
///
/// Turning points are looked for in all games, which are played again where the file does not hold their
/// moves. That takes a while; it starts no other programs. The same file has the same highlights on every
/// machine.
///
/// With --gif, --apng, --mp4 or --webm, also write them as one animation, without a window too. An existing file is kept
/// under the same name with a ~.
///
/// Example: outwit highlights pursuits.jsonl --most 3 --gif best.gif
#[derive(Args)]
pub struct Arguments {
    /// The files that 'outwit match --save' or the window wrote: one tournament, or its parts.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The most turning points to list.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    most: u32,
    #[command(flatten)]
    animations: AnimationFiles,
    #[command(flatten)]
    style: FilmStyle,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments, window: &dyn Window) -> ExitStatus {
    let check = |contest: &Contest| {
        let kind = game(&contest.game)
            .map_err(|failure| format!("line 1: {}", failure.lines.join(" ")))?;
        check_contest(kind, contest).map_err(|error| error.to_string())
    };
    let Merged { contest, games, doubts } = merge(&arguments.files, check)?;
    let kind = game(&contest.game)?;
    doubts.iter().for_each(eprint_line);
    let films = || arguments.animations.files();
    for (_, file) in films() {
        try_file(file)?;
    }
    let board = Scoreboard::new(contest, games);
    let moments = find(kind, &board, arguments.most as usize)?;
    if arguments.json {
        print_json(&moments.document(kind, &board))?;
    } else {
        print_text(kind, &moments, &board);
    }
    if films().next().is_none() {
        return Ok(Answer::Yes);
    }
    let scenes = scenes(kind, &board, &moments)?;
    for (kind, file) in films() {
        let wanted: Vec<WantedFilm<'_>> = scenes
            .iter()
            .map(|scene| WantedFilm {
                text: &scene.text,
                name: "match",
                kind,
                from: None,
                to: None,
                stretches: std::slice::from_ref(&scene.moment.turns),
                caption: Some(&scene.caption),
                style: &arguments.style,
            })
            .collect();
        write_film(window, &wanted, file, &arguments.files[0].display().to_string())?;
    }
    Ok(Answer::Yes)
}

/// Looks for them, with a progress bar on a terminal.
fn find(kind: &dyn DynGame, board: &Scoreboard, most: usize) -> Result<Moments, Failure> {
    let bar = ProgressBar::new(board.finished() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {eta} left") {
        bar.set_style(style);
    }
    let hold = hold();
    let found = best_moments(kind, board, most, hold.stop(), &mut || bar.inc(1));
    bar.finish_and_clear();
    found.map_err(|why| match hold.stop().is_raised() {
        true => Failure::interrupted(vec!["interrupted while looking for highlights".into()]),
        false => Failure::usage(why),
    })
}

fn print_text(kind: &dyn DynGame, moments: &Moments, board: &Scoreboard) {
    let table = |moments: &[Moment]| {
        let turns = format!("{}s", kind.facts().turn);
        let head = ["seed", "players", &turns, "what happens"].map(String::from).to_vec();
        print_lines(grid(
            &std::iter::once(head)
                .chain(moments.iter().map(|moment| {
                    vec![
                        moment.game.seed.to_string(),
                        moment.players(),
                        format!("{} to {}", moment.turns.start(), moment.turns.end()),
                        moment.words(kind, &str::to_owned),
                    ]
                }))
                .collect::<Vec<_>>(),
        ));
    };
    let count = |games: usize| if games == 1 { "1 game".into() } else { format!("{games} games") };
    print_line(format!("{}, {}", board.contest().level.id, count(board.finished())));
    print_line("");
    if moments.swings.is_empty() {
        print_line(format!("No turning points in {}.", count(moments.looked_at)));
    } else {
        print_line(format!("The largest turning points in {}:", count(moments.looked_at)));
        table(&moments.swings);
    }
    if !moments.quickest.is_empty() {
        print_line("");
        print_line("The quickest game of each kind:");
        table(&moments.quickest);
    }
    for problem in &moments.problems {
        eprint_line(format_args!("outwit: turning points of some games are not known: {problem}"));
    }
}

/// A moment to be drawn.
struct Scene<'a> {
    moment: &'a Moment,
    text: String,
    caption: String,
}

/// The moments that can be drawn: those whose game can be had as a replay.
fn scenes<'a>(
    kind: &dyn DynGame,
    board: &Scoreboard,
    moments: &'a Moments,
) -> Result<Vec<Scene<'a>>, Failure> {
    let hold = hold();
    let mut why_not = "there are none".to_owned();
    let mut scenes = Vec::new();
    for moment in moments.all() {
        match kind.replay_text(board.contest(), &moment.game, hold.stop()) {
            Ok(text) => {
                let words = moment.words(kind, &str::to_owned);
                let caption = format!("Seed {}: {words}", moment.game.seed);
                scenes.push(Scene { moment, text, caption });
            }
            Err(why) => why_not = why,
        }
    }
    if hold.stop().is_raised() {
        return Err(Failure::interrupted(vec!["interrupted before the film was drawn".into()]));
    }
    match scenes.is_empty() {
        true => Err(Failure::usage(format!("no highlights can be drawn: {why_not}"))),
        false => Ok(scenes),
    }
}
