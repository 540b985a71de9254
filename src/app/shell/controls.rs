//! Controls that several screens share: a rule of a level, and a budget.

use crate::app::shell::widgets;
use bevy_egui::egui;
use outwit_core::levels::{Property, PropertyKind};
use outwit_core::play::{Budget, TimeControl};
use std::time::Duration;

/// The control for one rule; `value` is its text.
pub fn rule_control(ui: &mut egui::Ui, property: &Property, value: &mut String) {
    match property.kind {
        PropertyKind::Whole { min, max, optional } => {
            let mut some = value.parse::<i64>().ok();
            if optional {
                let mut on = some.is_some();
                if ui
                    .checkbox(&mut on, "")
                    .on_hover_text(format!("Off: {}", property.value_title("none")))
                    .changed()
                {
                    some = on.then_some(min.max(max.min(10)));
                }
            }
            match &mut some {
                Some(number) => {
                    if max - min <= 20 && !optional {
                        ui.spacing_mut().slider_width = (ui.available_width() - 90.0).max(40.0);
                        ui.add(egui::Slider::new(number, min..=max));
                    } else {
                        let drag =
                            egui::DragValue::new(number).range(min..=max).speed(pace(min, max));
                        ui.add(drag)
                            .on_hover_text(format!("{min} to {max}: drag, or click to type"));
                    }
                }
                None => {
                    widgets::hint(ui, property.value_title("none"));
                }
            }
            *value = some.map_or_else(|| "none".into(), |number| number.to_string());
        }
        PropertyKind::Real { min, max } => {
            let before = value.parse::<f64>().unwrap_or(min);
            let mut number = before;
            ui.spacing_mut().slider_width = (ui.available_width() - 90.0).max(40.0);
            ui.add(egui::Slider::new(&mut number, min..=max));
            // Only a change is written, so that the level's own spelling stays.
            if number != before {
                *value = number.to_string();
            }
        }
        PropertyKind::Choice(words) => {
            egui::ComboBox::from_id_salt(property.key)
                .selected_text(property.value_title(value))
                .width(ui.available_width() - 40.0)
                .show_ui(ui, |ui| {
                    for word in words {
                        ui.selectable_value(value, (*word).to_owned(), property.value_title(word));
                    }
                });
        }
        PropertyKind::Flag => {
            let mut on = value == "true";
            ui.checkbox(&mut on, "");
            *value = on.to_string();
        }
    }
}

/// How much a number changes per point that the pointer is dragged: a wide range takes no longer to cross
/// than a narrow one, and a narrow one can still be set exactly.
fn pace(min: i64, max: i64) -> f64 {
    ((max - min) as f64 / 1000.0).clamp(0.1, 10.0)
}

/// A control for a budget, in time or work units. Returns whether it changed.
pub fn budget_control(ui: &mut egui::Ui, budget: &mut Budget) -> bool {
    let before = *budget;
    let mut timed = !matches!(budget, Budget::Work(_));
    match budget {
        Budget::Time(time) => {
            let mut seconds = time.as_secs_f64();
            let drag = egui::DragValue::new(&mut seconds)
                .range(0.01..=60.0)
                .speed(0.02)
                .fixed_decimals(2)
                .suffix(" s");
            ui.add(drag);
            if (seconds - time.as_secs_f64()).abs() > 1e-9 {
                *time = Duration::from_millis((seconds * 1000.0).round() as u64);
            }
        }
        // Given on the command line only.
        Budget::Cpu(_) => {
            ui.label(budget_words(before));
        }
        Budget::Work(units) => {
            ui.add(egui::DragValue::new(units).range(1..=1_000_000_000u64).speed(200));
        }
    }
    if widgets::choice(ui, &mut timed, &[(true, "Time"), (false, "Work")]) {
        *budget = if timed { Budget::default() } else { Budget::Work(20_000) };
    }
    *budget != before
}

/// A budget as people read it: `500 ms`, `20,000 work units`.
pub fn budget_words(budget: Budget) -> String {
    match budget {
        Budget::Time(time) if time.as_secs() > 0 => format!("{} s", time.as_secs_f64()),
        Budget::Time(time) => format!("{} ms", time.as_millis()),
        Budget::Cpu(time) => {
            format!("{} of processor time", budget_words(Budget::Time(time)))
        }
        Budget::Work(units) => {
            let digits = units.to_string();
            let groups: Vec<&str> = digits
                .as_bytes()
                .rchunks(3)
                .rev()
                .filter_map(|group| std::str::from_utf8(group).ok())
                .collect();
            format!("{} work units", groups.join(","))
        }
    }
}

/// What a player may spend as people read it: `500 ms per turn`, `5 s per match + 100 ms per turn`.
pub fn control_words(control: TimeControl) -> String {
    match control {
        TimeControl::Turn(budget) => format!("{} per turn", budget_words(budget)),
        TimeControl::Match { total, increment } => {
            let [total, increment] =
                [total, increment].map(|time| budget_words(Budget::Time(time)));
            format!("{total} per match + {increment} per turn")
        }
        TimeControl::Unlimited => "no limit".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_read_well() {
        assert_eq!(budget_words(Budget::Work(20_000)), "20,000 work units");
        assert_eq!(budget_words(Budget::Work(999)), "999 work units");
        assert_eq!(budget_words(Budget::Work(1_234_567)), "1,234,567 work units");
        assert_eq!(budget_words(Budget::Time(Duration::from_millis(500))), "500 ms");
        assert_eq!(budget_words(Budget::Time(Duration::from_millis(2500))), "2.5 s");
        let cpu = Budget::Cpu(Duration::from_millis(500));
        assert_eq!(budget_words(cpu), "500 ms of processor time");
        assert_eq!(control_words(Budget::Work(999).into()), "999 work units per turn");
        let (total, increment) = (Duration::from_secs(5), Duration::from_millis(100));
        let clock = TimeControl::Match { total, increment };
        assert_eq!(control_words(clock), "5 s per match + 100 ms per turn");
    }
}
