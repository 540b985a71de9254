//! `outwit replay --commentary`: what is said of a match, as a table and as JSON.

use super::table::{decimal, grid};
use outwit_kit::{Commentary, DynGame, Outlook, Remark, Swing};
use serde_json::{Value, json};

/// A number without decimals where it has none.
fn figure(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value}") } else { decimal(value) }
}

/// Turn, sentence and figures of every remark as aligned columns, then the turning points, line by line.
pub fn lines(kind: &dyn DynGame, said: &Commentary) -> Vec<String> {
    let row = |remark: &Remark| {
        let figures: Vec<String> = remark
            .figures
            .iter()
            .map(|(name, value)| format!("{name} {}", figure(*value)))
            .collect();
        let figures =
            if figures.is_empty() { String::new() } else { format!("({})", figures.join(", ")) };
        vec![remark.turn.to_string(), remark.words.clone(), figures]
    };
    let mut rows = vec![[kind.facts().turn, "remark", "figures"].map(String::from).to_vec()];
    rows.extend(said.remarks.iter().map(row));
    let mut lines = if said.remarks.is_empty() { vec!["no remarks".into()] } else { grid(&rows) };
    lines.push(if said.swings.is_empty() { "no turning points" } else { "turning points:" }.into());
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    lines.extend(said.swings.iter().map(|swing| {
        let Swing { since, turn, seat, from, to } = *swing;
        let who = kind.seat(seat.index()).title;
        let turns = kind.facts().turn;
        format!("  {turns}s {since} to {turn}: {who} from {} to {}", percent(from), percent(to))
    }));
    lines
}

/// The same with all outlooks as one document.
pub fn document(kind: &dyn DynGame, said: &Commentary) -> Value {
    let id = |seat: usize| kind.seat(seat).id;
    let outlook = |(turn, outlook): (&usize, &Outlook)| {
        let seats = outlook.seats.iter().zip(&outlook.shares).enumerate();
        let seats = seats.map(|(seat, (expected, share))| {
            json!({"seat": id(seat), "value": expected.value, "margin": expected.margin, "share": share})
        });
        json!({"turn": turn, "seats": seats.collect::<Vec<_>>()})
    };
    let remark = |remark: &Remark| {
        let figures = remark.figures.iter();
        let figures = figures.map(|(name, value)| json!({"name": name, "value": value}));
        json!({
            "turn": remark.turn,
            "seat": remark.seat.map(|seat| id(seat.index())),
            "words": remark.words,
            "figures": figures.collect::<Vec<_>>(),
            "cells": remark.cells,
            "weight": remark.weight,
        })
    };
    json!({
        "outlooks": said.outlooks.iter().map(outlook).collect::<Vec<_>>(),
        "remarks": said.remarks.iter().map(remark).collect::<Vec<_>>(),
        "turning_points": said.swings.iter().map(|swing| {
        json!({
            "since": swing.since,
            "turn": swing.turn,
            "seat": id(swing.seat.index()),
            "from": swing.from,
            "to": swing.to,
        })
    }).collect::<Vec<_>>(),
    })
}
