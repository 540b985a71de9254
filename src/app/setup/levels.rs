//! The list of levels: search, thumbnails, selection.

use super::Setup;
use crate::app::shell::level::Level;
use crate::app::shell::level_rivals;
use crate::app::shell::medals::{self, Medal};
use crate::app::shell::preview::{self, Thumbnail};
use crate::app::shell::records::{self, BestResult, Results};
use crate::app::shell::screen_reader;
use crate::app::shell::theme::{palette, space, text};
use crate::app::shell::widgets;
use bevy_egui::egui;
use egui::{Rect, RichText, TextStyle, pos2, vec2};
use outwit_core::platform::time::{Duration, Instant};
use outwit_kit::DynGame;
use outwit_levels::{Collections, Entry};

/// All levels of the game, and the selected one.
pub struct Levels {
    all: Vec<Level>,
    chosen: usize,
    search: String,
    /// Whether the search finds no level, so that none is selected.
    finds_none: bool,
    show_chosen: bool,
    /// On the built-in levels; counted once all levels have been read.
    progress: Option<Progress>,
    /// Below each heading, counted then too.
    groups: Vec<(String, Progress)>,
}

/// What was reached on some levels.
struct Progress {
    done: usize,
    gold: usize,
    of: usize,
    /// The first level without a result.
    next: Option<usize>,
}

impl Progress {
    fn of(
        kind: &dyn DynGame,
        levels: &[Level],
        results: &Results,
        counts: impl Fn(&Level) -> bool,
    ) -> Self {
        let counted = levels.iter().enumerate().filter(|(_, level)| counts(level));
        let best: Vec<_> = counted.map(|(at, level)| (at, best(kind, level, results))).collect();
        let medals = best.iter().filter_map(|(_, best)| best.as_ref()?.medal());
        Self {
            done: best.iter().filter(|(_, best)| best.is_some()).count(),
            gold: medals.filter(|&medal| medal == Medal::Gold).count(),
            of: best.len(),
            next: best.iter().find(|(_, best)| best.is_none()).map(|&(at, _)| at),
        }
    }

    fn words(&self) -> String {
        let done = format!("{} of {} done", self.done, self.of);
        if self.gold > 0 { format!("{done}, {} gold", self.gold) } else { done }
    }
}

/// The time for reading levels per frame.
const READING: Duration = Duration::from_millis(8);

impl Levels {
    /// The levels of a game; selects the level with the id `wanted`, or else `first`.
    pub fn new(game: &str, wanted: &str, first: &str) -> Self {
        let collections = Collections::of(outwit_levels::user_levels().as_deref());
        let all: Vec<Level> = outwit_levels::list(game)
            .into_iter()
            .map(|entry| Level::unread(entry, &collections))
            .collect();
        let find = |id: &str| all.iter().rposition(|level| level.entry.id == id);
        let chosen = find(wanted).or_else(|| find(first)).unwrap_or(0);
        Self {
            all,
            chosen,
            search: String::new(),
            finds_none: false,
            show_chosen: true,
            progress: None,
            groups: Vec::new(),
        }
    }

    /// Selects this level, if it is in the list.
    pub fn choose_entry(&mut self, entry: &Entry) {
        if let Some(index) = self.all.iter().position(|level| level.entry == *entry) {
            self.choose(index);
            if !self.found().contains(&index) {
                self.search.clear();
                self.finds_none = false;
            }
        }
    }

    /// The selected level; `None` if there are no levels, or none that the search finds.
    pub fn chosen(&self) -> Option<&Level> {
        self.all.get(self.chosen).filter(|_| !self.finds_none)
    }

    /// Searches for a text. The selected level is always one that is listed.
    fn search(&mut self) {
        let found = self.found();
        self.finds_none = found.is_empty();
        if let Some(&first) = found.first().filter(|_| !found.contains(&self.chosen)) {
            self.choose(first);
        }
        self.show_chosen = true;
    }

    /// Reads unread levels, the selected one first, as long as a frame allows.
    pub fn read_some(&mut self, kind: &dyn DynGame, results: &Results) {
        let begun = Instant::now();
        if let Some(level) = self.all.get_mut(self.chosen)
            && level.info.is_none()
        {
            level.read(kind);
        }
        for level in self.all.iter_mut().filter(|level| level.info.is_none()) {
            if begun.elapsed() > READING {
                break;
            }
            level.read(kind);
        }
        if self.progress.is_none() && !self.unread() {
            let of =
                |counts: &dyn Fn(&Level) -> bool| Progress::of(kind, &self.all, results, counts);
            self.progress = Some(of(&|level| !level.is_own()));
            let mut headings: Vec<_> = self.all.iter().filter_map(heading).collect();
            headings.dedup();
            let groups = headings
                .into_iter()
                .map(|title| (title.to_owned(), of(&|level| heading(level) == Some(title))));
            self.groups = groups.collect();
        }
    }

    fn unread(&self) -> bool {
        self.all.iter().any(|level| level.info.is_none())
    }

    /// The levels that the search finds.
    fn found(&self) -> Vec<usize> {
        let wanted = self.search.trim().to_lowercase();
        let fits = |level: &Level| {
            let author = match &level.info {
                Some(Ok(info)) => info.author.to_lowercase(),
                _ => String::new(),
            };
            wanted.is_empty()
                || level.name().to_lowercase().contains(&wanted)
                || level.entry.stem().to_lowercase().contains(&wanted)
                || level.is_own()
                    && heading(level).is_some_and(|it| it.to_lowercase().contains(&wanted))
                || author.contains(&wanted)
        };
        (0..self.all.len()).filter(|&index| fits(&self.all[index])).collect()
    }

    fn choose(&mut self, index: usize) {
        if self.chosen != index {
            self.chosen = index;
            self.show_chosen = true;
        }
    }

    /// Selects another of the levels that match the search.
    pub fn select(&mut self, by: ListMove) {
        let found = self.found();
        let Some(last) = found.len().checked_sub(1) else { return };
        let at = found.iter().position(|&index| index == self.chosen);
        let to = match (by, at) {
            (ListMove::First, _) | (ListMove::On | ListMove::Back, None) => 0,
            (ListMove::Last, _) => last,
            (ListMove::On, Some(at)) => (at + 1).min(last),
            (ListMove::Back, Some(at)) => at.saturating_sub(1),
        };
        self.choose(found[to]);
    }
}

/// A step along the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListMove {
    /// To the level before.
    Back,
    /// To the next level.
    On,
    /// To the first.
    First,
    /// To the last.
    Last,
}

/// Height of a row, and width of the sign of a result, in points.
const ROW: f32 = 60.0;
const SIGN: f32 = 22.0;

/// Shows the list. Returns whether a level was double-clicked.
pub fn list(ui: &mut egui::Ui, setup: &mut Setup, results: &Results) -> bool {
    let Setup { kind, levels, pictures, .. } = setup;
    if levels.unread() {
        ui.ctx().request_repaint();
    }
    let icon = egui_phosphor::regular::MAGNIFYING_GLASS;
    let field = ui.add(
        egui::TextEdit::singleline(&mut levels.search)
            .id_salt("level search")
            .hint_text(format!("{icon}  Search"))
            .margin(egui::Margin::symmetric(8, 6))
            .desired_width(f32::INFINITY),
    );
    screen_reader::name(&field, "Search");
    if field.changed() {
        levels.search();
    }
    ui.add_space(space::SMALL);
    progress(ui, levels);
    let found = levels.found();
    let mut start = false;
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = space::SMALL;
        if found.is_empty() {
            widgets::hint(ui, "No level matches.");
        }
        let mut chosen = None;
        for (at, &index) in found.iter().enumerate() {
            let level = &levels.all[index];
            let above = at.checked_sub(1).and_then(|above| heading(&levels.all[found[above]]));
            if let Some(title) = heading(level).filter(|title| above != Some(title)) {
                ui.add_space(space::SMALL);
                let group = levels.groups.iter().find(|(of, _)| *of == title);
                group_title(ui, title, group.map(|(_, progress)| progress));
            }
            let is_chosen = index == levels.chosen;
            let is_stop = is_chosen || at == 0 && !found.contains(&levels.chosen);
            let response = row(ui, level, (is_chosen, is_stop), pictures, || {
                (best(*kind, level, results), rivals(*kind, level, results))
            });
            if response.clicked() {
                chosen = Some(index);
            }
            start |= response.double_clicked();
            if is_chosen && std::mem::take(&mut levels.show_chosen) {
                response.scroll_to_me(None);
            }
        }
        if let Some(index) = chosen {
            levels.choose(index);
            levels.show_chosen = false;
        }
        ui.add_space(space::MEDIUM);
        widgets::hint(ui, "Drop a level on the window to add it, or a replay to watch it.");
    });
    start
}

/// Shows a heading, and how many of the levels below it are done once there is one.
fn group_title(ui: &mut egui::Ui, title: &str, progress: Option<&Progress>) {
    let room = vec2(ui.available_width(), 18.0);
    let right = egui::Layout::right_to_left(egui::Align::Center);
    ui.allocate_ui_with_layout(room, right, |ui| {
        if let Some(progress) = progress.filter(|progress| progress.done > 0) {
            let done = format!("{} of {}", progress.done, progress.of);
            widgets::hint(ui, done).on_hover_text(progress.words());
        }
        ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
            let words = RichText::new(title).color(palette(ui).faint.egui());
            ui.add(egui::Label::new(words).truncate());
        });
    });
}

/// What stands above a level in the list, where it differs from what stands above the one before.
fn heading(level: &Level) -> Option<&str> {
    level.group.as_deref().or(level.is_own().then_some("Your levels"))
}

/// How many levels have a result, and the next one, once there is a first result.
fn progress(ui: &mut egui::Ui, levels: &mut Levels) {
    let Some(progress) = levels.progress.as_ref().filter(|progress| progress.done > 0) else {
        return;
    };
    let next = progress.next.filter(|&next| next != levels.chosen);
    widgets::hint(ui, progress.words());
    if let Some(next) = next {
        let words = format!("Next: {}", levels.all[next].name());
        let button = egui::Button::new(words).truncate().min_size(vec2(ui.available_width(), 0.0));
        let tip = "The first level without a result of yours";
        if ui.add(button).on_hover_text(tip).clicked() {
            levels.search.clear();
            levels.finds_none = false;
            levels.choose(next);
        }
    }
    ui.add_space(space::SMALL);
}

/// The best result on a level with its own rules.
fn best(kind: &dyn DynGame, level: &Level, results: &Results) -> Option<BestResult> {
    let digest = level.info.as_ref()?.as_ref().ok()?.digest;
    results.best(&records::key(kind, &level.entry, digest, &[])?).cloned()
}

/// Who can be met on a level with its own rules, and whether each was beaten there.
fn rivals(kind: &dyn DynGame, level: &Level, results: &Results) -> Vec<(&'static str, bool)> {
    let info = level.info.as_ref().and_then(|info| info.as_ref().ok());
    let key = info.and_then(|info| records::level_key(kind, &level.entry, info.digest, &[]));
    key.map(|key| results.rivals.of(kind, &key)).unwrap_or_default()
}

fn row(
    ui: &mut egui::Ui,
    level: &Level,
    chosen: (bool, bool),
    pictures: &mut preview::Pictures,
    reached: impl FnOnce() -> (Option<BestResult>, Vec<(&'static str, bool)>),
) -> egui::Response {
    let size = vec2(ui.available_width(), ROW);
    widgets::list_entry(ui, "levels to play", size, chosen, level.name(), |ui, rect| {
        let palette = palette(ui);
        let picture = Rect::from_min_size(rect.min + vec2(6.0, 6.0), vec2(64.0, ROW - 12.0));
        ui.painter().rect_filled(picture, 3.0, palette.board.egui());
        let (below, bad) = match &level.info {
            None => (String::from("…"), false),
            Some(Err(faults)) if faults.len() == 1 => (String::from("1 problem"), true),
            Some(Err(faults)) => (format!("{} problems", faults.len()), true),
            Some(Ok(info)) => {
                let inner = picture.shrink(2.0);
                let shown = Thumbnail::of(&level.entry.id, &level.entry, &info.looks);
                pictures.paint(ui.painter(), inner, &shown, palette);
                (format!("{} × {}", info.looks.width(), info.looks.height()), false)
            }
        };
        if bad {
            ui.painter().text(
                picture.center(),
                egui::Align2::CENTER_CENTER,
                egui_phosphor::regular::WARNING,
                egui::FontId::proportional(20.0),
                palette.bad.egui(),
            );
        }
        let (best, rivals) = reached();
        let sign = best.as_ref().map_or(0.0, |_| SIGN);
        let at = pos2(rect.right() - SIGN / 2.0 - 4.0, rect.center().y);
        match best.map(|best| best.medal()) {
            None => {}
            Some(Some(medal)) => medal.paint(ui.painter(), at, medals::RADIUS),
            // There is a result, but it is far from the optimum, or none is known.
            Some(None) => {
                let check = egui_phosphor::regular::CHECK;
                let font = egui::FontId::proportional(15.0);
                let middle = egui::Align2::CENTER_CENTER;
                let ink = palette.faint.egui();
                ui.painter().text(at, middle, check, font, ink);
            }
        }
        let words = Rect::from_min_max(
            pos2(picture.right() + 10.0, rect.top() + 11.0),
            rect.max - vec2(6.0 + sign, 4.0),
        );
        widgets::inside(ui, words, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            ui.spacing_mut().interact_size.y = 0.0;
            let name = RichText::new(level.name()).text_style(text::strong());
            ui.add(egui::Label::new(name).truncate());
            let ink = if bad { palette.bad } else { palette.faint };
            let below = RichText::new(below).text_style(TextStyle::Small).color(ink.egui());
            ui.horizontal(|ui| {
                ui.add(egui::Label::new(below).truncate());
                level_rivals::show(ui, &rivals);
            });
        });
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use outwit_core::play::Better;

    fn chosen(levels: &Levels) -> Option<&str> {
        levels.chosen().map(|level| level.entry.id.as_str())
    }

    #[test]
    fn the_next_level_is_the_first_without_a_result() {
        let kind = outwit_headless::find("pukoban").unwrap();
        let mut results = Results::default();
        let read = |results: &Results| {
            let mut levels = Levels::new("pukoban", "", &kind.first_level());
            while levels.progress.is_none() {
                levels.read_some(kind, results);
            }
            levels
        };
        let levels = read(&results);
        let progress = levels.progress.as_ref().unwrap();
        let built_in = levels.all.iter().filter(|level| !level.is_own()).count();
        assert_eq!((progress.done, progress.of, progress.next), (0, built_in, Some(0)));
        for (at, closest) in [(0, Some(0.0)), (2, Some(0.1))] {
            let info = levels.all[at].info.as_ref().unwrap().as_ref().unwrap();
            let key = records::key(kind, &levels.all[at].entry, info.digest, &[]).unwrap();
            let best = BestResult::now(9.0, String::new(), String::new(), String::new());
            results.submit(&key, BestResult { closest, ..best }, Better::Lower);
        }
        let levels = read(&results);
        let progress = levels.progress.unwrap();
        assert_eq!(progress.words(), format!("2 of {built_in} done, 1 gold"));
        assert_eq!(progress.next, Some(1));
        let titles: Vec<_> = levels.groups.iter().map(|(title, _)| title.as_str()).collect();
        assert_eq!(Some(titles[0]), heading(&levels.all[0]), "{titles:?}");
        let (_, first) = &levels.groups[0];
        assert_eq!((first.done, first.gold), (2, 1), "{titles:?}");
        let all: usize = levels.groups.iter().map(|(_, group)| group.of).sum();
        assert_eq!(all, levels.all.iter().filter(|level| heading(level).is_some()).count());
    }

    #[test]
    fn the_selected_level_is_always_one_that_the_search_lists() {
        let mut levels = Levels::new("cops", "cops/duel", "cops/duel");
        assert_eq!(chosen(&levels), Some("cops/duel"));
        let search = |levels: &mut Levels, text: &str| {
            levels.search = text.into();
            levels.search();
        };
        search(&mut levels, "due");
        assert_eq!(chosen(&levels), Some("cops/duel"));
        let other = levels.all.iter().position(|level| level.entry.id != "cops/duel").unwrap();
        let stem = levels.all[other].entry.stem().to_owned();
        search(&mut levels, &stem);
        assert_eq!(chosen(&levels), Some(levels.all[other].entry.id.as_str()));
        search(&mut levels, "no such level");
        assert_eq!(chosen(&levels), None);
        let added = levels.all[other].entry.clone();
        levels.choose_entry(&added);
        assert_eq!((chosen(&levels), levels.search.as_str()), (Some(added.id.as_str()), ""));
    }
}
