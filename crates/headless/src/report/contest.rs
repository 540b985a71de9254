//! The site of a contest: standings, a page per player, a page per game.

use super::page::{Cell, Page};
use super::plot::{Bar, intervals, logarithmic};
use super::trial::classes;
use super::{counted, figure};
use crate::cli::{FilmKind, FilmStyle, PictureTheme, WantedFilm, Window};
use crate::contest::{ContestConfig, ContestField, Cross, Entry, Pick, Standing, seat_means};
use crate::link;
use outwit_core::escape::{markup, on_one_line};
use outwit_core::levels::write;
use outwit_core::platform::store::{create_folder, is_file, list_if_there, remove};
use outwit_core::play::{Better, StopFlag};
use outwit_core::tournament::{Contest, FinishedGame, Scoreboard};
use std::collections::HashSet;
use std::path::Path;
use std::str::FromStr;

/// Width of a film, in pixels.
const FILM_WIDTH: u16 = 640;
/// Lost games that are listed on a player's page.
const MOST_LOST: usize = 40;
/// Games that a player's page lists for failures.
const MOST_FAULTS: usize = 40;
/// The page to which links lead, if whoever built this has named it.
const PAGE: Option<&str> = option_env!("OUTWIT_PAGE");

/// Which games the site shows as films.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SiteFilms {
    /// Every game.
    All,
    /// Those that a player lost by a failure.
    Lost,
    /// None.
    None,
}

impl FromStr for SiteFilms {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            "lost" => Ok(Self::Lost),
            "none" => Ok(Self::None),
            _ => Err(format!("'{text}': write all, lost or none")),
        }
    }
}

/// All that the site of a contest shows.
pub struct ContestSite<'a> {
    /// What `contest.toml` says.
    pub config: &'a ContestConfig,
    /// Who plays what.
    pub field: &'a ContestField,
    /// The programs.
    pub entries: &'a [Entry],
    /// Those that cannot take part, and why.
    pub refused: &'a [(String, String)],
    /// The finished games, level by level.
    pub boards: &'a [Scoreboard],
    /// All games with their keys.
    pub picks: &'a [(Pick, u64)],
    /// The table, the best first.
    pub table: &'a [Standing],
    /// Who won how much against whom.
    pub cross: &'a [Vec<Cross>],
    /// Games that are not finished.
    pub missing: usize,
    /// Which games are shown as films.
    pub films: SiteFilms,
}

/// A finished game with its place in the contest.
#[derive(Clone, Copy)]
struct Shown<'a> {
    key: u64,
    arena: usize,
    game: &'a FinishedGame,
}

impl Shown<'_> {
    fn file(&self) -> String {
        format!("{:016x}", self.key)
    }

    fn has_fault(&self) -> bool {
        self.game.stats.iter().any(|stats| stats.fault.is_some())
    }
}

fn page_of(name: &str) -> String {
    format!("player-{name}.html")
}

impl ContestSite<'_> {
    fn title(&self) -> String {
        match self.config.title.trim() {
            "" => format!("{} contest", self.field.kind.name()),
            title => on_one_line(title),
        }
    }

    /// The name of a player in a game, for people.
    fn name_of<'b>(&'b self, player: &'b str) -> &'b str {
        let known = self.field.index_of(player).map(|at| self.field.contestants[at].name.as_str());
        known.unwrap_or(player)
    }

    fn players(&self, game: &FinishedGame) -> String {
        let seats = self.boards.first().map(|board| &board.contest().seats);
        let named = game.players.iter().enumerate().map(|(seat, player)| {
            let name = self.name_of(player);
            match seats.and_then(|seats| seats.get(seat)) {
                Some(entrants) => format!("{name} ({})", entrants.seat),
                None => name.to_owned(),
            }
        });
        named.collect::<Vec<_>>().join(" – ")
    }

    fn games(&self) -> Vec<Shown<'_>> {
        self.picks
            .iter()
            .filter_map(|&((arena, round, cell), key)| {
                let game = self.boards.get(arena)?.game(round, cell)?;
                Some(Shown { key, arena, game })
            })
            .collect()
    }

    /// Writes all pages into a folder. What is there of games that are not shown any more is removed.
    ///
    /// # Errors
    /// If a file cannot be written, or `stop` is raised.
    pub fn write(&self, folder: &Path, window: &dyn Window, stop: &StopFlag) -> Result<(), String> {
        let inner = folder.join("games");
        create_folder(&inner)?;
        let games = self.games();
        let current: HashSet<String> = games.iter().map(Shown::file).collect();
        for path in list_if_there(&inner)? {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let is_game = stem.len() == 16 && stem.bytes().all(|byte| byte.is_ascii_hexdigit());
            if is_game && !current.contains(&stem) {
                remove(&path)?;
            }
        }
        for shown in &games {
            if stop.is_raised() {
                return Err(
                    "interrupted while the site was written; run the same command again".into()
                );
            }
            self.write_game(&inner, *shown, window, stop)?;
        }
        let put = |name: &str, page: Page| {
            write(&folder.join(name), page.finish().as_bytes()).map_err(|error| error.to_string())
        };
        for standing in self.table {
            let name = &self.field.contestants[standing.contestant].name;
            put(&page_of(name), self.player_page(standing, &games))?;
        }
        for (name, why) in self.refused {
            // Only a name that can be a file's has a page.
            if crate::contest::is_player_name(name) {
                put(&page_of(name), self.refused_page(name, why))?;
            }
        }
        put("index.html", self.index(&games))
    }

    fn index(&self, games: &[Shown<'_>]) -> Page {
        let field = self.field;
        let about = format!(
            "{}, {}, {} of {}, Outwit {}",
            field.kind.name(),
            counted(field.contestants.len(), "player", "players"),
            games.len(),
            counted(self.picks.len(), "game", "games"),
            env!("CARGO_PKG_VERSION")
        );
        let mut page = Page::new(&self.title(), &about);
        if self.missing > 0 {
            page.paragraph(&format!(
                "{} still missing: this table is not final.",
                match self.missing {
                    1 => "1 game is".to_owned(),
                    many => format!("{} games are", figure(many as f64)),
                }
            ));
        }
        if !field.has_opponents() {
            page.paragraph("There is nobody to play against yet.");
        }
        page.section("Standings");
        let head = [
            "", "player", "program", "language", "authors", "rating", "±", "points", "won",
            "drawn", "lost", "late", "illegal", "failed",
        ];
        let rows: Vec<Vec<Cell>> = self
            .table
            .iter()
            .map(|standing| {
                let name = &field.contestants[standing.contestant].name;
                let entry = self.entries.iter().find(|entry| entry.name == *name);
                let text = |value: String| Cell::Text(value);
                vec![
                    text(standing.place.to_string()),
                    Cell::link(page_of(name), name),
                    text(entry.map_or_else(
                        || "planner of Outwit".into(),
                        |it| it.record.program.clone(),
                    )),
                    text(entry.map(|it| on_one_line(&it.config.language)).unwrap_or_default()),
                    text(
                        entry
                            .map(|it| on_one_line(&it.config.authors.join(", ")))
                            .unwrap_or_default(),
                    ),
                    text(rated(standing, standing.rating.rating)),
                    text(rated(standing, standing.rating.ci95)),
                    text(figure(standing.points)),
                    text(standing.won.to_string()),
                    text(standing.drawn.to_string()),
                    text(standing.lost.to_string()),
                    text(standing.late.to_string()),
                    text(standing.illegal.to_string()),
                    text(standing.faults.to_string()),
                ]
            })
            .collect();
        page.cells(&head, &rows, 5);
        let alone = self.boards.iter().all(|board| board.contest().seats.len() == 1);
        page.faint(&format!(
            "{} A rating is one figure over all seats and levels (Bradley-Terry on the Elo scale, 1500 is the mean), \
             with the half of its 95 % interval; the advantage of a seat is taken out. Where intervals overlap \
             widely, the order is chance. late, illegal: turns; failed: games lost by a failure of the program.",
            match alone {
                true => "Each plays alone; the better score on the same level and seed wins.",
                false => "The better rank in a game wins.",
            }
        ));
        let bars: Vec<Bar> = self
            .table
            .iter()
            .filter(|standing| standing.is_rated())
            .map(|standing| Bar {
                name: field.contestants[standing.contestant].name.clone(),
                value: standing.rating.rating,
                ci95: Some(standing.rating.ci95),
            })
            .collect();
        page.html(&intervals(&bars, "Elo"));
        self.show_cross(&mut page);
        self.show_means(&mut page);
        if !self.refused.is_empty() {
            page.section("Not taking part");
            let rows: Vec<Vec<Cell>> = self
                .refused
                .iter()
                .map(|(name, why)| {
                    let link = match crate::contest::is_player_name(name) {
                        true => Cell::link(page_of(name), name),
                        false => Cell::Text(on_one_line(name)),
                    };
                    vec![link, Cell::Text(on_one_line(why.lines().next().unwrap_or_default()))]
                })
                .collect();
            page.cells(&["player", "why"], &rows, 2);
        }
        page.section("What was played");
        for board in self.boards {
            let contest = board.contest();
            page.paragraph(&format!(
                "{}: {} for each pairing, {}, {}.",
                contest.level.id,
                counted(contest.seeds as usize, "game", "games"),
                match contest.seeds {
                    1 => format!("seed {}", contest.first_seed),
                    many => format!(
                        "seeds {} to {}",
                        contest.first_seed,
                        contest.seed(many as usize - 1)
                    ),
                },
                contest.budget.words()
            ));
        }
        if let Some(salt) = self.boards.first().and_then(|board| board.contest().salt) {
            page.faint(&format!(
                "The dice of all games are sealed with the salt {salt}. Once it is published, players could know the \
                 dice of games that are still to come: take a new one (delete work/salt.txt) for the next contest."
            ));
        }
        page
    }

    fn show_cross(&self, page: &mut Page) {
        let order: Vec<usize> = self.table.iter().map(|standing| standing.contestant).collect();
        if order.len() < 2 {
            return;
        }
        page.section("Who won against whom");
        page.faint("Points of the row's player against the column's, a draw being half a point, and games.");
        let name = |at: usize| self.field.contestants[at].name.as_str();
        let head: Vec<&str> = std::iter::once("").chain(order.iter().map(|&at| name(at))).collect();
        let rows: Vec<Vec<Cell>> = order
            .iter()
            .map(|&own| {
                std::iter::once(Cell::link(page_of(name(own)), name(own)))
                    .chain(order.iter().map(|&other| match self.cross[own][other] {
                        Cross { games: 0, .. } => Cell::Text("–".into()),
                        Cross { games, won } => Cell::Text(format!("{} of {games}", figure(won))),
                    }))
                    .collect()
            })
            .collect();
        page.cells(&head, &rows, 1);
    }

    fn show_means(&self, page: &mut Page) {
        let score = self.field.kind.facts().score;
        page.section(&format!("Mean {} on each seat", score.name));
        page.faint(&format!(
            "With the half of the 95 % interval; {} is better. Games that a player lost by a failure may have no {}.",
            match score.better {
                Better::Lower => "less",
                Better::Higher => "more",
            },
            score.name
        ));
        let columns: Vec<(usize, usize, String)> = self
            .boards
            .iter()
            .enumerate()
            .flat_map(|(level, board)| {
                let contest = board.contest();
                contest.seats.iter().enumerate().map(move |(seat, entrants)| {
                    (level, seat, format!("{}, {}", contest.level.id, entrants.seat))
                })
            })
            .collect();
        let head: Vec<&str> = std::iter::once("player")
            .chain(columns.iter().map(|(.., name)| name.as_str()))
            .collect();
        let rows: Vec<Vec<Cell>> = self
            .table
            .iter()
            .map(|standing| {
                let name = &self.field.contestants[standing.contestant].name;
                let means = seat_means(self.field, self.boards, standing.contestant);
                let cell = |(level, seat, _): &(usize, usize, String)| {
                    let own = means.iter().find(|mean| mean.level == *level && mean.seat == *seat);
                    Cell::Text(own.map_or_else(
                        || "–".into(),
                        |mean| {
                            let half = mean.score.ci95.map(|half| format!(" ± {}", figure(half)));
                            let value = mean.score.mean.map_or_else(|| "–".into(), figure);
                            format!("{value}{}", half.unwrap_or_default())
                        },
                    ))
                };
                std::iter::once(Cell::link(page_of(name), name))
                    .chain(columns.iter().map(cell))
                    .collect()
            })
            .collect();
        page.cells(&head, &rows, 1);
    }

    fn player_page(&self, standing: &Standing, games: &[Shown<'_>]) -> Page {
        let field = self.field;
        let name = &field.contestants[standing.contestant].name;
        let entry = self.entries.iter().find(|entry| entry.name == *name);
        let about = match entry {
            None => format!("A planner of Outwit, in {}", self.title()),
            Some(entry) => {
                let by = match entry.config.authors.is_empty() {
                    true => String::new(),
                    false => format!(" by {}", on_one_line(&entry.config.authors.join(", "))),
                };
                let language = match entry.config.language.as_str() {
                    "" => String::new(),
                    language => format!(", in {}", on_one_line(language)),
                };
                format!("{}{by}{language}. {}", entry.record.program, self.title())
            }
        };
        let mut page = Page::new(name, &about);
        page.html("<p><a href=\"index.html\">All standings</a></p>\n");
        page.paragraph(&format!(
            "Rating {} ± {}; {} {}: {} won, {} drawn, {} lost.",
            rated(standing, standing.rating.rating),
            rated(standing, standing.rating.ci95),
            figure(standing.points),
            if standing.points == 1.0 { "point" } else { "points" },
            standing.won,
            standing.drawn,
            standing.lost
        ));
        self.show_where(&mut page, standing);
        let own: Vec<Shown<'_>> = games
            .iter()
            .filter(|shown| {
                let players = shown.game.players.iter();
                players
                    .map(|player| field.index_of(player))
                    .any(|at| at == Some(standing.contestant))
            })
            .copied()
            .collect();
        self.show_lost(&mut page, standing, &own);
        self.show_faults(&mut page, standing, &own);
        self.show_times(&mut page, standing, &own);
        if let Some(entry) = entry {
            show_record(&mut page, entry);
        }
        self.show_all(&mut page, &own);
        page
    }

    /// Its results on each seat and against each opponent.
    fn show_where(&self, page: &mut Page, standing: &Standing) {
        let score = self.field.kind.facts().score;
        page.section("Where it wins and loses");
        let rows: Vec<Vec<Cell>> = seat_means(self.field, self.boards, standing.contestant)
            .into_iter()
            .map(|mean| {
                let contest = self.boards[mean.level].contest();
                vec![
                    Cell::Text(contest.level.id.clone()),
                    Cell::Text(contest.seats[mean.seat].seat.clone()),
                    Cell::Text((mean.score.games + mean.without).to_string()),
                    Cell::Text(mean.score.mean.map_or_else(|| "–".into(), figure)),
                    Cell::Text(mean.score.ci95.map_or_else(|| "–".into(), figure)),
                    Cell::Text(mean.without.to_string()),
                ]
            })
            .collect();
        let mean = format!("mean {}", score.name);
        let without = format!("without {}", score.name);
        page.cells(&["level", "seat", "games", &mean, "±", &without], &rows, 2);
        let rows: Vec<Vec<Cell>> = self
            .table
            .iter()
            .filter(|other| other.contestant != standing.contestant)
            .map(|other| {
                let name = &self.field.contestants[other.contestant].name;
                let Cross { games, won } = self.cross[standing.contestant][other.contestant];
                let share = (games > 0).then(|| 100.0 * won / games as f64);
                vec![
                    Cell::link(page_of(name), name),
                    Cell::Text(rated(other, other.rating.rating)),
                    Cell::Text(games.to_string()),
                    Cell::Text(figure(won)),
                    Cell::Text(share.map_or_else(|| "–".into(), |share| format!("{share:.0} %"))),
                ]
            })
            .collect();
        page.cells(&["against", "rating", "games", "points", "share"], &rows, 1);
    }

    fn link_to(&self, shown: Shown<'_>) -> Vec<Cell> {
        let contest = self.boards[shown.arena].contest();
        vec![
            Cell::link(format!("games/{}.html", shown.file()), &self.players(shown.game)),
            Cell::Text(contest.level.id.clone()),
            Cell::Text(shown.game.seed.to_string()),
        ]
    }

    fn seat_in(&self, shown: Shown<'_>, contestant: usize) -> Option<usize> {
        shown.game.players.iter().position(|player| self.field.index_of(player) == Some(contestant))
    }

    fn show_lost(&self, page: &mut Page, standing: &Standing, own: &[Shown<'_>]) {
        let lost: Vec<Vec<Cell>> = own
            .iter()
            .filter(|shown| {
                let places = &shown.game.outcome.places;
                let rank = self
                    .seat_in(**shown, standing.contestant)
                    .and_then(|seat| places.get(seat).map(|place| place.rank));
                let best = places.iter().map(|place| place.rank).min();
                places.len() > 1 && rank > best
            })
            .map(|shown| {
                let mut row = self.link_to(*shown);
                row.push(Cell::Text(shown.game.outcome.headline.clone()));
                row
            })
            .collect();
        if lost.is_empty() {
            return;
        }
        page.section("Games that it lost");
        if lost.len() > MOST_LOST {
            page.faint(&format!("The first {MOST_LOST} of {}.", lost.len()));
        }
        page.cells_and_remarks(
            &["game", "level", "seed", "result"],
            &lost[..lost.len().min(MOST_LOST)],
            2,
            1,
        );
    }

    fn show_faults(&self, page: &mut Page, standing: &Standing, own: &[Shown<'_>]) {
        page.section("Failures");
        let counts = format!(
            "In {} turns: {} late ({} of them while it had to wait for a processor), {} without a word, {} illegal, {} \
             that could not be read. {} lost by a failure.",
            standing.turns,
            standing.late,
            standing.starved,
            standing.silent,
            standing.illegal,
            standing.broken,
            counted(standing.faults, "game", "games")
        );
        page.paragraph(&counts);
        let faults: Vec<Vec<Cell>> = own
            .iter()
            .filter_map(|shown| {
                let seat = self.seat_in(*shown, standing.contestant)?;
                let why = shown.game.stats.get(seat)?.fault.clone()?;
                let mut row = self.link_to(*shown);
                row.push(Cell::Text(on_one_line(&why)));
                Some(row)
            })
            .take(MOST_FAULTS)
            .collect();
        if !faults.is_empty() {
            page.cells_and_remarks(&["game", "level", "seed", "failure"], &faults, 2, 1);
        }
    }

    fn show_times(&self, page: &mut Page, standing: &Standing, own: &[Shown<'_>]) {
        let mut times: Vec<f64> = own
            .iter()
            .filter_map(|shown| shown.game.stats.get(self.seat_in(*shown, standing.contestant)?))
            .flat_map(|stats| stats.thought.iter().map(|time| time.as_secs_f64() * 1000.0))
            .collect();
        if times.is_empty() {
            return;
        }
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times[(share * (times.len() - 1) as f64).round() as usize];
        page.section("Time for an answer");
        page.paragraph(&format!(
            "Median {} ms, 95 % within {} ms, longest {} ms.",
            figure(at(0.5)),
            figure(at(0.95)),
            figure(at(1.0))
        ));
        page.faint("On a logarithmic scale.");
        page.html(&logarithmic(&classes(&times), "answers"));
    }

    fn show_all(&self, page: &mut Page, own: &[Shown<'_>]) {
        page.section("All games");
        let rows: Vec<Vec<Cell>> = own
            .iter()
            .map(|shown| {
                let mut row = self.link_to(*shown);
                row.push(Cell::Text(shown.game.outcome.headline.clone()));
                row
            })
            .collect();
        page.cells_and_remarks(&["game", "level", "seed", "result"], &rows, 2, 1);
    }

    fn refused_page(&self, name: &str, why: &str) -> Page {
        let mut page = Page::new(name, &format!("Does not take part in {}", self.title()));
        page.html("<p><a href=\"index.html\">All standings</a></p>\n");
        page.section("Why");
        let lines: Vec<String> = why.lines().map(str::to_owned).collect();
        page.log(&lines);
        page
    }

    fn write_game(
        &self,
        folder: &Path,
        shown: Shown<'_>,
        window: &dyn Window,
        stop: &StopFlag,
    ) -> Result<(), String> {
        let contest = self.boards[shown.arena].contest();
        let file = shown.file();
        let replay_path = folder.join(format!("{file}.ron"));
        let film_path = folder.join(format!("{file}.svg"));
        let is_film = match self.films {
            SiteFilms::All => true,
            SiteFilms::Lost => shown.has_fault(),
            SiteFilms::None => false,
        };
        let text = match outwit_core::platform::store::read_file(&replay_path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(_) => {
                let text = self.field.kind.replay_text(contest, shown.game, stop)?;
                write(&replay_path, text.as_bytes()).map_err(|error| error.to_string())?;
                text
            }
        };
        if is_film && !is_file(&film_path) {
            // Without a window there are no pictures; all else is there.
            if let Ok(film) = film(&text, window) {
                write(&film_path, &film).map_err(|error| error.to_string())?;
            }
        }
        let page = self.game_page(shown, contest, &text, is_file(&film_path));
        write(&folder.join(format!("{file}.html")), page.finish().as_bytes())
            .map_err(|error| error.to_string())
    }

    fn game_page(&self, shown: Shown<'_>, contest: &Contest, replay: &str, has_film: bool) -> Page {
        let game = shown.game;
        let file = shown.file();
        let about = format!("{}, seed {}, {}", contest.level.id, game.seed, self.title());
        let mut page = Page::new(&self.players(game), &about);
        let links = game.players.iter().filter_map(|player| {
            let name = &self.field.contestants[self.field.index_of(player)?].name;
            Some(format!("<a href=\"../{}\">{}</a>", page_of(name), markup(name)))
        });
        let links: Vec<String> =
            std::iter::once("<a href=\"../index.html\">All standings</a>".to_owned())
                .chain(links)
                .collect();
        page.html(&format!("<p>{}</p>\n", links.join(" · ")));
        page.paragraph(&game.outcome.headline);
        if has_film {
            page.html(&format!(
                "<p><img src=\"{file}.svg\" width=\"{FILM_WIDTH}\" alt=\"{}\"></p>\n",
                markup(&game.outcome.headline)
            ));
        }
        let mut ways = vec![format!("<a href=\"{file}.ron\" download>Replay</a>, for Outwit")];
        let site = self.config.page.as_deref().or(PAGE);
        if let Some(site) = site
            && let Ok(link) = link::of_replay(&file, replay)
        {
            let up = if site.contains("://") { "" } else { "../" };
            ways.insert(
                0,
                format!("<a href=\"{up}{}#{link}\">Watch it in the browser</a>", markup(site)),
            );
        }
        page.html(&format!("<p>{}</p>\n", ways.join(" · ")));
        let rows: Vec<Vec<Cell>> = (0..game.players.len())
            .map(|seat| {
                let stats = &game.stats[seat];
                let mean =
                    stats.thought.iter().map(|time| time.as_secs_f64() * 1000.0).sum::<f64>()
                        / stats.thought.len().max(1) as f64;
                [
                    contest.seats[seat].seat.clone(),
                    self.name_of(&game.players[seat]).to_owned(),
                    game.ending(seat).to_owned(),
                    game.score(seat).map_or_else(|| "–".into(), figure),
                    stats.asked.to_string(),
                    figure(mean),
                    stats.overruns.to_string(),
                    stats.illegal.to_string(),
                    on_one_line(stats.fault.as_deref().unwrap_or_default()),
                ]
                .map(Cell::Text)
                .into()
            })
            .collect();
        let score = self.field.kind.facts().score.name;
        page.cells_and_remarks(
            &["seat", "player", "ending", score, "turns", "mean ms", "late", "illegal", "failure"],
            &rows,
            3,
            1,
        );
        page
    }
}

/// A figure of a rating, or a dash if the player was compared with nobody.
fn rated(standing: &Standing, value: f64) -> String {
    match standing.is_rated() {
        true => figure(value.round()),
        false => "–".into(),
    }
}

/// What was found when a program was built and tried.
fn show_record(page: &mut Page, entry: &Entry) {
    let record = &entry.record;
    page.section("When it was tried");
    let rows: Vec<Vec<Cell>> = record
        .checks
        .iter()
        .map(|check| {
            let sign = if check.passed { "fine" } else { "problem" };
            [&check.seat, &check.name, sign, &check.found, &check.advice]
                .map(|text| Cell::Text(on_one_line(text)))
                .into()
        })
        .collect();
    page.cells(&["seat", "check", "", "found", "what to do"], &rows, 5);
    for (title, lines) in [
        ("The end of what its build printed", &record.build_log),
        ("The end of its standard error", &record.log),
    ] {
        if !lines.is_empty() {
            page.faint(&format!("{title}:"));
            page.log(lines);
        }
    }
}

/// A replay as a film.
fn film(text: &str, window: &dyn Window) -> Result<Vec<u8>, String> {
    let style = FilmStyle::new(FILM_WIDTH, PictureTheme::Light);
    let wanted = WantedFilm {
        text,
        name: "game",
        kind: FilmKind::MovingSvg,
        from: None,
        to: None,
        stretches: &[],
        caption: None,
        style: &style,
    };
    window.film(&[wanted], &mut |_| {})
}
