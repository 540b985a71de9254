//! Pictures of matches of all games, in both themes.

#![allow(clippy::unwrap_used)]

use super::export::FilmPart;
use super::*;
use crate::app::requests::{MatchConfig, Screen};
use crate::app::shell::assets::AssetFolder;
use crate::boards::BOARDS;
use outwit_core::grid::Cell as GridCell;
use outwit_core::play::{Budget, Player, StopFlag};
use outwit_core::tournament::{Contest, ContestLevel, Entrants};
use outwit_headless::cli::{FilmKind, FilmStep};
use outwit_headless::{GAMES, find};
use outwit_kit::tournament::contest;
use outwit_racetrack::{Accelerate, Racetrack};

const WIDTH: u16 = 400;

/// The replay of a short match between planners.
fn replay(game: &str) -> String {
    let kind = find(game).unwrap();
    let id = kind.first_level();
    let bytes = outwit_levels::built_in(&id).unwrap().bytes().unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let players = kind.players_to_watch();
    let seat = |(player, n): (&Player, usize)| Entrants::new(&kind.seat(n).id, [player.name()]);
    let seats: Vec<_> = players.iter().zip(0..).map(seat).collect();
    let level = ContestLevel::new(id, text);
    let made = contest(kind, level, &seats, (1, 1), Budget::Work(2_000)).unwrap();
    let contest = Contest { openings: None, ..made };
    let games = kind.run_contest(&contest, Vec::new(), &StopFlag::default(), &|_| Ok(())).unwrap();
    kind.replay_text(&contest, &games[0], &StopFlag::default()).unwrap()
}

fn film(text: &str, dark: bool) -> Film {
    let config = MatchConfig::watching(text, "match", Screen::Menu).unwrap();
    let board = BOARDS.iter().find(|board| board.id == config.game).unwrap();
    film_of((board.begin)(config, true).unwrap(), dark)
}

fn film_of(session: Session, dark: bool) -> Film {
    let board = BOARDS.iter().find(|board| board.id == session.config.game).unwrap();
    let assets = AssetFolder::default();
    let look = FilmLook {
        pieces: board.pieces(&assets).unwrap(),
        fonts: Fonts::read(&assets).unwrap(),
        width: WIDTH,
        dark,
        grid: false,
        caption: None,
    };
    Film::new(session, look)
}

fn part(kind: FilmKind, from: usize, to: usize) -> FilmPart {
    FilmPart { kind, stretches: vec![from..=to], turn_seconds: Some(0.1) }
}

fn made(film: Film, part: &FilmPart) -> Result<Vec<u8>, String> {
    export(&mut [(film, part.clone())], &StopFlag::default(), &mut |_| {})
}

/// How many colours a picture has.
fn colours(image: &ColorImage) -> usize {
    image.pixels.iter().collect::<std::collections::HashSet<_>>().len()
}

#[test]
fn every_game_can_be_drawn_in_both_themes() {
    for game in GAMES {
        let text = replay(game.id());
        let mut seen = Vec::new();
        for dark in [true, false] {
            let mut film = film(&text, dark);
            let end = film.turns();
            let image = film.frame(end, 0.0);
            assert_eq!(image.size, film.size(), "{}", game.id());
            assert!(colours(&image) > 20, "{} is blank", game.id());
            assert_eq!(image, film.frame(end, 0.0), "the same every time");
            assert_ne!(image, film.frame(0, 0.0), "{} does not move", game.id());
            let page = film.svg(end);
            roxmltree::Document::parse(&page).unwrap();
            assert!(page.contains("<text") && page.contains("<path"), "{}", game.id());
            seen.push(image);
        }
        assert_ne!(seen[0], seen[1], "themes differ");
    }
}

#[test]
fn animations_have_the_frames_that_were_promised() {
    let kinds = [FilmKind::Gif, FilmKind::Apng];
    let each = GAMES.iter().flat_map(|game| kinds.map(|kind| (game.id(), kind)));
    for (game, kind) in each {
        let text = replay(game);
        let dark = kind == FilmKind::Gif;
        let film = film(&text, dark);
        let [width, height] = film.size();
        let to = film.turns().min(3);
        let part = part(kind, to.min(1), to);
        let mut steps = Vec::new();
        let promised = part.check(to, film.size(), |_| 0.0).unwrap();
        let mut scenes = [(film, part.clone())];
        let bytes =
            export(&mut scenes, &StopFlag::default(), &mut |step| steps.push(step)).unwrap();
        assert_eq!((steps.len(), steps[0].frames), (promised, promised));
        let again = super::tests::film(&text, dark);
        assert_eq!(made(again, &part).as_deref(), Ok(&*bytes), "the same every time");
        let (frames, size) = if kind == FilmKind::Gif {
            let mut options = gif::DecodeOptions::new();
            options.set_color_output(gif::ColorOutput::RGBA);
            let mut gif = options.read_info(bytes.as_slice()).unwrap();
            let size = (usize::from(gif.width()), usize::from(gif.height()));
            let mut frames = 0;
            while gif.read_next_frame().unwrap().is_some() {
                frames += 1;
            }
            (frames, size)
        } else {
            let mut png = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
            let info = png.info();
            let size = (info.width as usize, info.height as usize);
            let frames = info.animation_control().unwrap().num_frames as usize;
            let mut buffer = vec![0; png.output_buffer_size().unwrap()];
            for _ in 0..frames {
                png.next_frame(&mut buffer).unwrap();
            }
            (frames, size)
        };
        assert_eq!((frames, size), (promised, (width, height)), "{game} {kind:?}");
    }
}

#[test]
fn several_matches_make_one_film() {
    let text = replay("cops");
    let scenes = |captions: &[Option<&str>]| -> Vec<(Film, FilmPart)> {
        let scene = |(caption, n): (&Option<&str>, usize)| {
            let mut film = film(&text, true);
            film.caption = caption.map(str::to_owned);
            (film, part(FilmKind::Gif, n, n + 2))
        };
        captions.iter().zip(0..).map(scene).collect()
    };
    let mut steps = Vec::new();
    let stop = StopFlag::default();
    let mut made = |captions: &[Option<&str>]| {
        steps.clear();
        let bytes = export(&mut scenes(captions), &stop, &mut |step| steps.push(step)).unwrap();
        (bytes, steps.len())
    };
    let (one, frames) = made(&[None]);
    let (two, both) = made(&[None, None]);
    assert_eq!(both, 2 * frames);
    assert!(two.len() > one.len());
    let (captioned, _) = made(&[Some("Seed 1: here it turned"), None]);
    assert_ne!(captioned, two, "the caption is drawn");
    let other = film(&replay("racetrack"), true);
    let mut apart = scenes(&[None]);
    apart.push((other, part(FilmKind::Gif, 0, 1)));
    let why = export(&mut apart, &stop, &mut |_| {}).unwrap_err();
    assert!(why.contains("same size"), "{why}");
    assert!(export(&mut [], &stop, &mut |_| {}).is_err());
}

/// Between turns, pictures show how things ended.
#[test]
fn splinters_fly_only_while_a_crash_is_in_motion() {
    let config = MatchConfig::on_level("racetrack/tiny", &["human"]);
    let mut session = Session::new::<Racetrack>(config, true).unwrap();
    while !session.live.is_over() {
        let live = session.live_mut::<Racetrack>().unwrap();
        live.queue.push_back(Accelerate(GridCell::new(1, 0)));
        session.play_queued();
        let turns = session.live.turns();
        session.jump(turns);
    }
    let mut film = film_of(session, true);
    let crash = film.turns() - 1;
    let mut shapes = |turn, time| film.layers(turn, time).shapes.len();
    let splinters = shapes(crash, 0.7) - shapes(crash, 0.3);
    assert_eq!(splinters, 8);
    assert!(shapes(crash + 1, 0.0) < shapes(crash, 0.7));
}

#[test]
fn what_cannot_be_drawn_is_refused_before_anything_is() {
    let text = replay("mnk");
    let turns = film(&text, false).turns();
    for (wrong, says) in [
        (part(FilmKind::Gif, 2, 1), "not in the match"),
        (part(FilmKind::Png, turns + 1, turns + 1), "choose from 0 to"),
        (FilmPart { turn_seconds: Some(f32::NAN), ..part(FilmKind::Gif, 0, 1) }, "a turn takes"),
    ] {
        let why = made(film(&text, false), &wrong).unwrap_err();
        assert!(why.contains(says), "{why}");
    }
    let long = part(FilmKind::Gif, 0, 1_000_000);
    let why = long.check(1_000_000, [4000, 4000], |_| 1.0).unwrap_err();
    assert!(why.contains("too many"), "{why}");
    let stop = StopFlag::default();
    stop.raise();
    let mut scenes = [(film(&text, false), part(FilmKind::Gif, 0, 1))];
    let stopped = export(&mut scenes, &stop, &mut |_: FilmStep| {});
    assert_eq!(stopped, Err("stopped".into()));
}

#[test]
fn neighbouring_triangles_leave_no_seam() {
    let mut overlay = EguiLayer::new(
        &Fonts::read(&AssetFolder::default()).unwrap(),
        &style(&LIGHT, Motion::Off),
        1.0,
    );
    let half = Color32::from_black_alpha(100);
    let area = Rect::from_min_size(Pos2::ZERO, vec2(40.0, 40.0));
    let shapes = overlay.draw(area, 0.0, |painter| {
        let mut mesh = egui::Mesh::default();
        mesh.add_colored_rect(area.shrink(10.0), half);
        painter.add(mesh);
    });
    let mut image = ColorImage::filled([40, 40], Color32::WHITE);
    overlay.paint(&mut image, shapes);
    let inked = image.pixels.iter().filter(|pixel| **pixel != Color32::WHITE).count();
    assert_eq!((inked, colours(&image)), (400, 2), "each pixel once");
}
