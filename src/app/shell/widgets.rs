//! Controls that all screens share, as functions.

use crate::app::requests::Modal;
use crate::app::shell::everywhere::{BACK, HELP};
use crate::app::shell::screen_reader;
pub use crate::app::shell::theme::CORNER;
use crate::app::shell::theme::{Rgb, palette, space, text};
use bevy_egui::egui;
use egui::text::CCursorRange;
use egui::{Align, Button, Color32, Frame, Layout, Margin, Response, RichText, Sense, Stroke, Ui};
use outwit_core::escape::is_visible;
use outwit_core::platform::time::Duration;

/// The margin inside text fields.
pub const FIELD: Margin = Margin { left: 8, right: 8, top: 5, bottom: 5 };

/// The least height of buttons that are filled with a colour.
pub const FILLED_HEIGHT: f32 = 36.0;

/// The whole window as a place for panels, behind all windows and popups.
pub fn root(ctx: &egui::Context) -> Ui {
    Ui::new(
        ctx.clone(),
        "root".into(),
        egui::UiBuilder::new().layer_id(egui::LayerId::background()).max_rect(ctx.viewport_rect()),
    )
}

/// A screen that fills the window, on the colour of the board with its fine grid.
pub fn page<R>(ctx: &egui::Context, add: impl FnOnce(&mut Ui) -> R) -> R {
    let mut root = root(ctx);
    let fill = palette(&root).board.egui();
    egui::CentralPanel::default()
        .frame(Frame::new().fill(fill))
        .show(&mut root, |ui| {
            squared_paper(ui);
            add(ui)
        })
        .inner
}

/// Distance between the grid lines behind the screens, in points.
const SQUARE: f32 = 24.0;

/// Draws the fine grid behind a screen.
pub fn squared_paper(ui: &Ui) {
    let rect = ui.max_rect();
    let stroke = Stroke::new(1.0, palette(ui).board.mixed(palette(ui).grid, 0.5));
    let painter = ui.painter();
    let mut x = rect.left() + SQUARE;
    while x < rect.right() {
        painter.vline(x, rect.y_range(), stroke);
        x += SQUARE;
    }
    let mut y = rect.top() + SQUARE;
    while y < rect.bottom() {
        painter.hline(rect.x_range(), y, stroke);
        y += SQUARE;
    }
}

/// The bar at the top of a screen: a back button, the title, and what `add` puts at the right end. Returns
/// whether the back button was pressed.
pub fn title_bar(ui: &mut Ui, title: &str, add: impl FnOnce(&mut Ui)) -> bool {
    egui::Panel::top("title bar")
        .frame(panel_frame(ui).inner_margin(Margin::symmetric(16, 10)))
        .show(ui, |ui| {
            ui.horizontal(|ui| {
                let back = egui::Button::new(format!("{}  Back", BACK.icon));
                let back = BACK.button(ui, Ok(()), back);
                ui.add_space(space::MEDIUM);
                ends(ui, |ui| drop(ui.heading(title)), add);
                back
            })
            .inner
        })
        .inner
}

/// A row with something at either end, whose controls are laid out, and reached with Tab, from left to
/// right. The width of the right end is known from the frame before; in its first frame it is not seen.
pub fn ends(ui: &mut Ui, left: impl FnOnce(&mut Ui), right: impl FnOnce(&mut Ui)) {
    let id = ui.id().with("right end");
    let known: Option<f32> = ui.data(|data| data.get_temp(id));
    let room = ui.available_size_before_wrap();
    let gap = ui.spacing().item_spacing.x;
    let left_room = (room.x - known.unwrap_or_default() - gap).max(0.0);
    let row = Layout::left_to_right(Align::Center);
    ui.allocate_ui_with_layout(egui::vec2(left_room, room.y), row, |ui| {
        ui.set_min_width(left_room);
        left(ui);
    });
    let right = ui.scope_builder(egui::UiBuilder::new().layout(row), |ui| {
        if known.is_none() {
            ui.set_invisible();
        }
        right(ui);
    });
    let width = right.response.rect.width();
    if known != Some(width) {
        ui.data_mut(|data| data.insert_temp(id, width));
        ui.ctx().request_repaint();
    }
}

/// The frame of panels beside the board.
pub fn panel_frame(ui: &Ui) -> Frame {
    Frame::new().fill(palette(ui).panel.egui()).inner_margin(Margin::same(16))
}

/// The frame of low panels above and below the board.
pub fn bar_frame(ui: &Ui) -> Frame {
    panel_frame(ui).inner_margin(Margin::symmetric(12, 8))
}

/// A raised area for a group of controls.
pub fn card<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> R {
    let palette = palette(ui);
    Frame::new()
        .fill(palette.panel.egui())
        .stroke(Stroke::new(1.0, palette.line.egui()))
        .corner_radius(CORNER)
        .inner_margin(Margin::same(16))
        .show(ui, add)
        .inner
}

/// The title of a group of controls.
pub fn section(ui: &mut Ui, title: &str) -> Response {
    ui.label(RichText::new(title).text_style(text::section()))
}

/// A label in the faint colour, for explanations and units.
pub fn hint(ui: &mut Ui, words: impl Into<String>) -> Response {
    let faint = palette(ui).faint.egui();
    ui.label(RichText::new(words).color(faint))
}

/// A key, drawn as on a keyboard.
pub fn key_cap(ui: &mut Ui, key: &str) -> Response {
    let palette = palette(ui);
    let font = egui::TextStyle::Small.resolve(ui.style());
    let words = ui.painter().layout_no_wrap(key.to_owned(), font, palette.text.egui());
    let size = egui::vec2((words.size().x + 12.0).max(22.0), words.size().y + 6.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, key));
    let line = Stroke::new(1.0, palette.edge.egui());
    ui.painter().rect(rect, 4, palette.raised.egui(), line, egui::StrokeKind::Inside);
    let at = rect.center() - words.size() / 2.0;
    ui.painter().galley(at, words, palette.text.egui());
    response
}

/// The main button of a screen or dialog.
pub fn primary_button(ui: &mut Ui, words: impl Into<String>) -> Response {
    filled_button(ui, words, palette(ui).accent)
}

/// A button that discards something or leaves after an error.
pub fn warning_button(ui: &mut Ui, words: impl Into<String>) -> Response {
    filled_button(ui, words, palette(ui).bad)
}

fn filled_button(ui: &mut Ui, words: impl Into<String>, fill: Rgb) -> Response {
    let palette = palette(ui);
    ui.scope(|ui| {
        let widgets = &mut ui.visuals_mut().widgets;
        let base = fill.egui();
        let lit = base.lerp_to_gamma(palette.text.egui(), 0.18);
        for (state, fill) in
            [(&mut widgets.inactive, base), (&mut widgets.hovered, lit), (&mut widgets.active, lit)]
        {
            state.weak_bg_fill = fill;
            state.bg_fill = fill;
            state.fg_stroke.color = palette.on_accent.egui();
        }
        widgets.inactive.bg_stroke = Stroke::NONE;
        widgets.hovered.bg_stroke = Stroke::NONE;
        // Disabled it is faded, so its words need a plain ground.
        widgets.noninteractive.weak_bg_fill = palette.raised.egui();
        widgets.noninteractive.bg_stroke = Stroke::new(1.0, palette.line.egui());
        widgets.noninteractive.fg_stroke.color = palette.text.egui();
        let words = RichText::new(words).text_style(text::strong());
        let centred = (egui::Atom::grow(), words, egui::Atom::grow());
        ui.add(Button::new(centred).min_size(egui::vec2(120.0, FILLED_HEIGHT)))
    })
    .inner
}

/// An area that can be clicked, such as a row of a list or a card in the menu. It also takes the
/// keyboard focus. `draw` gets its rectangle.
pub fn pressable(
    ui: &mut Ui,
    size: egui::Vec2,
    chosen: bool,
    name: &str,
    draw: impl FnOnce(&mut Ui, egui::Rect),
) -> Response {
    let response = pressable_with(ui, Sense::click(), size, chosen, draw);
    response
        .widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, ui.is_enabled(), name));
    response
}

/// Gives a control that is only an icon its words, as tooltip and for screen readers.
pub fn tip(response: Response, words: &str) -> Response {
    screen_reader::name(&response, words);
    response.on_hover_text(words)
}

/// What senses clicks and takes part in the order of Tab, or only the former.
pub fn stop(is_stop: bool) -> Sense {
    if is_stop { Sense::click() } else { Sense::CLICK }
}

/// An entry of a list, which is one stop for Tab: only the chosen entry takes the focus, or the first where none is
/// chosen; `is_stop` says which. The screen moves the choice with the arrow keys, and the focus goes along.
pub fn list_entry(
    ui: &mut Ui,
    list: &str,
    size: egui::Vec2,
    (chosen, is_stop): (bool, bool),
    name: &str,
    draw: impl FnOnce(&mut Ui, egui::Rect),
) -> Response {
    let response = pressable_with(ui, stop(is_stop), size, chosen, draw);
    response.widget_info(|| {
        egui::WidgetInfo::selected(egui::WidgetType::SelectableLabel, ui.is_enabled(), chosen, name)
    });
    let id = egui::Id::new(("focus in a list", list));
    let focused = ui.memory(|memory| memory.focused());
    let before = ui.data(|data| data.get_temp::<egui::Id>(id));
    if focused == Some(response.id) {
        // Otherwise egui would look for another control in the direction of the arrow.
        let arrows = egui::EventFilter {
            vertical_arrows: true,
            horizontal_arrows: true,
            ..egui::EventFilter::default()
        };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, arrows));
        ui.data_mut(|data| data.insert_temp(id, response.id));
    }
    let is_here = focused.is_none() || focused == before;
    if is_stop && is_here && before.is_some_and(|before| before != response.id) {
        response.request_focus();
        ui.data_mut(|data| data.insert_temp(id, response.id));
    }
    if !is_here && focused != Some(response.id) {
        ui.data_mut(|data| data.remove::<egui::Id>(id));
    }
    response
}

fn pressable_with(
    ui: &mut Ui,
    sense: Sense,
    size: egui::Vec2,
    chosen: bool,
    draw: impl FnOnce(&mut Ui, egui::Rect),
) -> Response {
    let (rect, response) = ui.allocate_exact_size(size, sense);
    if ui.is_rect_visible(rect) {
        let palette = palette(ui);
        let fill = match (chosen, response.hovered() || response.has_focus()) {
            (true, _) => palette.hover,
            (false, true) => palette.raised,
            (false, false) => palette.panel,
        };
        let line = if response.has_focus() {
            Stroke::new(2.0, palette.text.egui())
        } else if chosen {
            Stroke::new(1.0, palette.accent.egui())
        } else {
            Stroke::new(1.0, palette.line.egui())
        };
        ui.painter().rect(rect, CORNER, fill.egui(), line, egui::StrokeKind::Inside);
        inside(ui, rect, |ui| draw(ui, rect));
    }
    response.on_hover_cursor(egui::CursorIcon::PointingHand)
}

/// Lays out controls in a part of an allocated area, from the top down.
pub fn inside<R>(ui: &mut Ui, rect: egui::Rect, add: impl FnOnce(&mut Ui) -> R) -> R {
    let layout = Layout::top_down(Align::Min);
    let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(rect).layout(layout));
    inside.shrink_clip_rect(rect);
    add(&mut inside)
}

/// A choice between a few options side by side. Returns whether it changed.
pub fn choice<T: PartialEq + Copy>(ui: &mut Ui, value: &mut T, choices: &[(T, &str)]) -> bool {
    let palette = palette(ui);
    let before = *value;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::SMALL;
        for (choice, words) in choices {
            let chosen = *value == *choice;
            let ink = if chosen { palette.on_accent } else { palette.text };
            let mut button = Button::new(RichText::new(*words).color(ink.egui()));
            if chosen {
                button = button.fill(palette.accent.egui());
            }
            if ui.add(button).clicked() {
                *value = *choice;
            }
        }
    });
    *value != before
}

/// A row of a form: a name on the left and a control on the right, aligned in a column.
pub fn row<R>(
    ui: &mut Ui,
    name: &str,
    help: &str,
    width: f32,
    add: impl FnOnce(&mut Ui) -> R,
) -> R {
    ui.horizontal(|ui| {
        ui.set_min_height(ui.spacing().interact_size.y);
        let label = ui
            .allocate_ui_with_layout(
                egui::vec2(width, ui.spacing().interact_size.y),
                Layout::left_to_right(Align::Center),
                |ui| {
                    ui.set_min_width(width);
                    ui.add(egui::Label::new(name).wrap())
                },
            )
            .inner;
        if !help.is_empty() {
            label.on_hover_text(help);
        }
        add(ui)
    })
    .inner
}

/// A dashed line round an area.
pub fn dashed_frame(painter: &egui::Painter, rect: egui::Rect, stroke: Stroke) {
    let corners = [
        rect.left_top(),
        rect.right_top(),
        rect.right_bottom(),
        rect.left_bottom(),
        rect.left_top(),
    ];
    painter.extend(egui::Shape::dashed_line(&corners, stroke, 5.0, 4.0));
}

/// Text in the colour for problems.
pub fn fault(ui: &mut Ui, words: impl Into<String>) -> Response {
    let bad: Color32 = palette(ui).bad.egui();
    ui.label(RichText::new(words).color(bad))
}

/// A column in the middle of the page, which scrolls if necessary.
pub fn column<R>(ui: &mut Ui, width: f32, add: impl FnOnce(&mut Ui) -> R) -> R {
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            let width = width.min(ui.available_width() - 2.0 * space::LARGE);
            let side = (ui.available_width() - width) / 2.0;
            ui.add_space(space::LARGE);
            let inner = ui.horizontal_top(|ui| {
                ui.add_space(side);
                ui.vertical(|ui| {
                    ui.set_width(width);
                    add(ui)
                })
                .inner
            });
            ui.add_space(space::LARGE);
            inner.inner
        })
        .inner
}

/// A number with its noun: "1 step", "2 steps".
pub fn counted(count: impl Into<u64>, what: &str) -> String {
    match count.into() {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}

/// Time that is left, as a clock shows it: "4:05", and seconds alone below a minute.
pub fn clock_words(left: Duration) -> String {
    let seconds = left.as_secs_f64().ceil() as u64;
    match (seconds / 60, seconds % 60) {
        (0, seconds) => format!("{seconds} s"),
        (minutes, seconds) => format!("{minutes}:{seconds:02}"),
    }
}

/// What became of a [`name_dialog`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameReply {
    /// It is still open.
    Open,
    /// It was closed without a name.
    Closed,
    /// There is a name.
    Named,
}

/// A dialog that asks for a name; `fresh` says whether it is shown for the first time.
pub fn name_dialog(
    ctx: &egui::Context,
    title: &str,
    name: &mut String,
    fresh: &mut bool,
) -> NameReply {
    let mut done = false;
    let mut close = false;
    let frame = Frame::window(&ctx.global_style()).inner_margin(20);
    let modal = egui::Modal::new("name".into()).frame(frame).show(ctx, |ui| {
        ui.set_width(320.0);
        ui.heading(title);
        ui.add_space(space::MEDIUM);
        let mut output = egui::TextEdit::singleline(name)
            .id_salt("name")
            .margin(FIELD)
            .desired_width(f32::INFINITY)
            .show(ui);
        let field = output.response.response;
        if std::mem::take(fresh) {
            field.request_focus();
            // Typing replaces the old name.
            let all = CCursorRange::select_all(&output.galley);
            output.state.cursor.set_char_range(Some(all));
            output.state.store(ui.ctx(), field.id);
        }
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        ui.add_space(space::MEDIUM);
        let named = is_visible(name);
        ui.horizontal(|ui| {
            let button = ui.add_enabled_ui(named, |ui| primary_button(ui, "Rename")).inner;
            done = named && (button.clicked() || entered);
            close = ui.add(Button::new("Cancel").min_size(egui::vec2(0.0, 36.0))).clicked();
        });
    });
    match (done, close || modal.should_close()) {
        (true, _) => NameReply::Named,
        (false, true) => NameReply::Closed,
        (false, false) => NameReply::Open,
    }
}

/// The buttons for help and settings at the right end of a bar. Returns the window to open.
pub fn corner_buttons(ui: &mut Ui) -> Option<Modal> {
    let mut asked = None;
    if HELP.button(ui, Ok(()), Button::new(HELP.icon)) {
        asked = Some(Modal::Help);
    }
    let gear = tip(ui.button(egui_phosphor::regular::GEAR), "Settings");
    if gear.clicked() {
        asked = Some(Modal::Settings);
    }
    asked
}

/// A plot that the mouse neither moves nor zooms, on the ground of its panel.
pub fn still_plot(id: impl egui::AsId, height: f32) -> egui_plot::Plot<'static> {
    egui_plot::Plot::new(id)
        .height(height)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .show_background(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outwit_ui_test::Harness;
    use outwit_ui_test::kittest::Queryable;

    #[test]
    fn a_row_with_two_ends_is_reached_from_left_to_right() {
        const WIDTH: f32 = 500.0;
        let mut window = Harness::builder().with_size(egui::vec2(WIDTH, 80.0)).build_ui(|ui| {
            ui.horizontal(|ui| {
                let left = |ui: &mut Ui| drop(ui.button("First"));
                ends(ui, left, |ui| {
                    for name in ["Second", "Third"] {
                        let _ = ui.button(name);
                    }
                });
            });
        });
        window.run_steps(3);
        let mut before = 0.0;
        for name in ["First", "Second", "Third"] {
            window.key_press(egui::Key::Tab);
            window.run_steps(2);
            let button = window.get_by_label(name);
            assert!(button.is_focused(), "{name}");
            assert!(button.rect().left() > before, "{name}");
            before = button.rect().right();
        }
        assert!((WIDTH - before).abs() < 12.0, "{before}");
    }
}
