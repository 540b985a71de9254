//! How two matches stand side by side: the boards' areas, the line above each board, and what the side panel says.

use crate::app::match_screen::canvas::Visuals;
use crate::app::match_screen::focus::MatchSlot;
use crate::app::match_screen::layout::PanelContext;
use crate::app::match_screen::panel;
use crate::app::match_screen::session::Session;
use crate::app::match_screen::strip;
use crate::app::match_screen::view::BoardView;
use crate::app::shell::theme::{space, text};
use crate::app::shell::widgets;
use bevy::prelude::{InMut, Vec2};
use bevy_egui::egui::{self, Rect, RichText, Ui, pos2, vec2};

/// Height of the line above a board, in points.
const HEAD: f32 = 46.0;
/// Width of the line between two boards, in points.
const GAP: f32 = 2.0;
/// How fast the view of a board follows what matters, as a share a second.
const PACE: f32 = 3.0;
/// The share of an area's sides that it may fill before the view moves.
const CALM: f32 = 0.8;
/// Side of a piece in the line above a board, in points.
const PIECE: f32 = 20.0;

/// Where two matches are shown: the lines that name them, and their boards.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Split {
    /// The lines above the boards.
    pub heads: [Rect; 2],
    /// The boards, of the same size.
    pub boards: [Rect; 2],
    /// What is said below the boards.
    pub strips: [Rect; 2],
}

impl Split {
    /// Divides an area for two boards of so many columns and rows, beside or below each other as they are larger.
    pub fn of(free: Rect, (columns, rows): (usize, usize), margin: f32) -> Self {
        let whole = vec2(columns as f32, rows as f32) + egui::Vec2::splat(2.0 * margin);
        let halves = |beside: bool| {
            let by = if beside { vec2(GAP, 0.0) } else { vec2(0.0, GAP) };
            let size = match beside {
                true => vec2((free.width() - GAP) / 2.0, free.height()),
                false => vec2(free.width(), (free.height() - GAP) / 2.0),
            };
            let step = if beside { vec2(size.x, 0.0) } else { vec2(0.0, size.y) };
            [free.min, free.min + step + by].map(|corner| Rect::from_min_size(corner, size))
        };
        let cell = |half: Rect| {
            let room = half.size() - vec2(0.0, HEAD + strip::HEIGHT);
            (room.x / whole.x).min(room.y / whole.y)
        };
        let beside = halves(true);
        let below = halves(false);
        let halves = if cell(beside[0]) >= cell(below[0]) { beside } else { below };
        let head = |half: Rect| half.with_max_y(half.top() + HEAD.min(half.height()));
        let mut boards = halves.map(|half| half.with_min_y(head(half).bottom()));
        let strips = [0, 1].map(|at| strip::cut(&mut boards[at]));
        Self { heads: halves.map(head), boards, strips }
    }

    /// Shows who plays in each match and how it stands, and parts the boards.
    pub fn show(&self, root: &mut Ui, matches: [&Session; 2], look: &Visuals) {
        let line = look.palette.faint.egui();
        let [first, second] = self.heads.map(|head| head.min);
        let between = match first.y == second.y {
            true => Rect::from_min_max(pos2(second.x - GAP, first.y), self.strips[1].left_bottom()),
            false => Rect::from_min_max(pos2(first.x, second.y - GAP), self.heads[1].right_top()),
        };
        root.painter().rect_filled(between, 0.0, line);
        for (at, session) in matches.into_iter().enumerate() {
            head(root, self.heads[at], session, MatchSlot(at).name(), look);
            strip::show(root.painter(), self.strips[at], session, &look.palette);
        }
    }
}

/// The points a cell at which what matters in a match fills an area well.
pub fn closest(session: &Session, area: Rect) -> f32 {
    let view = BoardView { area, ..BoardView::default() };
    session.overlays.focus.map_or(f32::INFINITY, |corners| view.closest(corners))
}

/// Lets the view of the match that has no focus show the part of the board that the `other` one shows, or stay with
/// what matters in this match as closely, if the view follows. Nothing is seen of it without an area.
pub fn look(
    (session, view): (&Session, &mut BoardView),
    area: Option<Rect>,
    other: BoardView,
    follows: bool,
    seconds: f32,
) {
    let was_shown = std::mem::replace(&mut view.is_shown, area.is_some());
    let Some(area) = area else { return };
    let before = was_shown.then_some(BoardView { area, scale: other.scale, ..*view });
    let overlays = &session.overlays;
    let goes_on = session.outcome().is_none();
    *view = match (before, overlays.focus.or(overlays.followed.map(|at| (at, at)))) {
        (Some(mut view), Some((low, high))) if follows => {
            let calm = BoardView {
                area: Rect::from_center_size(area.center(), area.size() * CALM),
                ..view
            };
            if goes_on && !calm.shows(low, high) {
                let middle: Vec2 = (low + high) / 2.0;
                view.follow(middle, PACE * seconds);
            }
            view
        }
        _ => BoardView { area, ..other },
    };
}

/// The line above a board: who plays, and below it how the match stands or how it ended.
fn head(root: &mut Ui, rect: Rect, session: &Session, name: &str, look: &Visuals) {
    root.painter().rect_filled(rect, 0.0, look.palette.panel.egui());
    let inner = rect.shrink2(vec2(12.0, 4.0));
    let mut ui = root.new_child(egui::UiBuilder::new().id_salt(name).max_rect(inner));
    ui.set_clip_rect(inner);
    ui.spacing_mut().item_spacing = vec2(space::SMALL, 0.0);
    ui.spacing_mut().interact_size.y = 0.0;
    ui.horizontal(|ui| {
        let accent = look.palette.accent.egui();
        ui.label(RichText::new(name).text_style(text::section()).color(accent));
        for seat in session.seats() {
            let (place, _) = ui.allocate_exact_size(vec2(PIECE, PIECE), egui::Sense::hover());
            let whose = session.pieces_of(seat);
            let shape = session.info.shape(whose);
            if let Some(piece) = shape.and_then(|shape| look.pieces.get(shape)) {
                let side = look.palette.side(whose);
                piece.paint(ui.painter(), place.center(), PIECE, side, 1.0);
            }
            let words = RichText::new(session.name(seat)).text_style(text::strong());
            ui.add(egui::Label::new(words).truncate());
        }
    });
    let ink = if session.outcome().is_some() { look.palette.text } else { look.palette.faint };
    let font = egui::TextStyle::Small.resolve(ui.style());
    let fits = |words: &String| {
        let line = ui.painter().layout_no_wrap(words.clone(), font.clone(), ink.egui());
        line.size().x <= ui.available_width()
    };
    let words = headline(session).filter(fits).unwrap_or_else(|| standings(session));
    ui.add(egui::Label::new(RichText::new(words).font(font).color(ink.egui())).truncate());
}

/// How a match ended, in a sentence, once its end is shown.
fn headline(session: &Session) -> Option<String> {
    session.outcome().and_then(|_| session.live.headline(&session.state))
}

/// How a match stands at the shown turn, in a line.
fn standings(session: &Session) -> String {
    let standings = session.seats().filter_map(|seat| {
        let words = session.live.standing(&session.state, seat);
        (!words.is_empty()).then(|| format!("{} {words}", session.name(seat)))
    });
    let standings: Vec<String> = standings.collect();
    if standings.is_empty() { session.moment(session.playback.view) } else { standings.join(", ") }
}

/// In the side panel: the seats of both matches, how each ended, and what comes next once both are over.
pub fn seats(InMut(ui): InMut<Ui>, mut context: PanelContext) {
    let PanelContext { session, other, look, given, .. } = &mut context;
    let Some(other) = other else { return };
    let matches: [&Session; 2] = [&*session, &*other];
    for (at, session) in matches.into_iter().enumerate() {
        let name = MatchSlot(at).name();
        ui.push_id(name, |ui| {
            widgets::section(ui, &format!("Match {name}"));
            if let Some(words) = headline(session) {
                ui.label(RichText::new(words).text_style(text::strong()));
            }
            panel::seats(ui, session, look);
            ui.add_space(space::MEDIUM);
        });
    }
    if matches.iter().all(|session| session.outcome().is_some()) {
        let [main, _] = matches;
        panel::main_button(ui, main, &mut given.commands);
        ui.horizontal_wrapped(|ui| panel::again(ui, main, &mut given.commands));
        ui.separator();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_of_one_size_and_lie_apart() {
        for free in [vec2(708.0, 480.0), vec2(1000.0, 700.0), vec2(330.0, 420.0), vec2(10.0, 10.0)]
        {
            let free = Rect::from_min_size(pos2(7.0, 11.0), free);
            for extent in [(30, 20), (100, 20), (20, 100), (1, 1)] {
                let split = Split::of(free, extent, 0.5);
                assert_eq!(split.boards[0].size(), split.boards[1].size());
                let all = split.heads.into_iter().chain(split.boards).chain(split.strips);
                let all: Vec<Rect> = all.collect();
                for (n, one) in all.iter().enumerate() {
                    assert!(free.expand(0.01).contains_rect(*one), "{one} {free}");
                    for other in &all[n + 1..] {
                        let common = one.intersect(*other);
                        assert!(!common.is_positive() || common.area() < 0.01, "{one} {other}");
                    }
                }
            }
        }
    }

    #[test]
    fn wide_boards_lie_below_each_other_and_high_ones_beside() {
        let free = Rect::from_min_size(pos2(0.0, 0.0), vec2(800.0, 600.0));
        let split = |extent| Split::of(free, extent, 0.0).boards;
        let [first, second] = split((100, 20));
        assert!(first.bottom() <= second.top() && first.left() == second.left());
        let [first, second] = split((20, 30));
        assert!(first.right() <= second.left() && first.top() == second.top());
    }
}
