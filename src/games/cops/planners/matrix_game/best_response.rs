//! Best replies to a mixture of the other side's plans, by dynamic programming over space and time.

use super::super::super::distance_table::{CellIndex, DistanceTable};
use super::super::super::rules::{STEPS, Step};
use super::rollout::GONE;
use super::table::{Column, Joint, Row};
use super::value::race;

/// Plans of less weight than this are left out of replies.
const LEAST: f32 = 0.01;
/// Most thief's plans whose ends a cop weighs.
const MOST_ENDS: usize = 6;

/// The spots that can be reached within so many steps.
pub fn within(atlas: &DistanceTable, from: CellIndex, steps: usize) -> Vec<CellIndex> {
    let near = atlas.from(from);
    atlas
        .floor()
        .iter()
        .copied()
        .filter(|&spot| usize::from(near[usize::from(spot)]) <= steps)
        .collect()
}

/// A plan of the thief against a mixture of joint plans. It takes what happens at different ticks
/// for independent, so it proposes rather than proves.
pub fn thief_reply(
    arena: &Joint,
    from: CellIndex,
    columns: &mut [Column],
    mix: &[f32],
) -> Vec<Step> {
    let (atlas, futures) = (&arena.ground.atlas, arena.futures);
    let ticks = futures.ticks;
    let mut danger = vec![0.0_f32; ticks * atlas.len()];
    let heavy: Vec<usize> = (0..columns.len()).filter(|&j| mix[j] > LEAST).collect();
    let adjacent = arena.ground.board().rules().capture_adjacent;
    for &j in &heavy {
        let weight = mix[j] / futures.count as f32;
        for track in &columns[j].tracks {
            for (entry, &spot) in track.iter().enumerate() {
                let level = &mut danger[(entry % ticks) * atlas.len()..][..atlas.len()];
                level[usize::from(spot)] += weight;
                if adjacent {
                    STEPS[1..]
                        .iter()
                        .for_each(|&s| level[usize::from(atlas.ahead(spot, s))] += weight);
                }
            }
        }
    }
    let reach = within(atlas, from, ticks);
    let mut values = vec![0.0_f32; atlas.len()];
    for &spot in &reach {
        values[usize::from(spot)] =
            heavy.iter().map(|&j| mix[j] * columns[j].pays(arena, spot)).sum();
    }
    let mut choices = vec![Step::Stay; ticks * atlas.len()];
    for tick in (0..ticks).rev() {
        let level = &danger[tick * atlas.len()..][..atlas.len()];
        let arrive = |spot: CellIndex, values: &[f32]| {
            let p = level[usize::from(spot)].min(1.0);
            p * tick as f32 + (1.0 - p) * values[usize::from(spot)]
        };
        let mut before = values.clone();
        for &spot in reach.iter().filter(|&&s| usize::from(atlas.distance(from, s)) <= tick) {
            let stay = arrive(spot, &values);
            let mut best = (stay, Step::Stay);
            for step in &STEPS[1..] {
                let to = atlas.step(spot, *step);
                let value = if to != spot {
                    let wall = futures.share(|future| futures.is_walled(future, tick, to));
                    wall * stay + (1.0 - wall) * arrive(to, &values)
                } else {
                    let ahead = atlas.ahead(spot, *step);
                    let gate = futures.share(|future| futures.is_gated(future, tick, ahead));
                    let open =
                        if adjacent { 1.0 - level[usize::from(ahead)].min(1.0) } else { 1.0 };
                    gate * open * arena.escape_pays(tick) + (1.0 - gate * open) * stay
                };
                if value > best.0 {
                    best = (value, *step);
                }
            }
            before[usize::from(spot)] = best.0;
            choices[tick * atlas.len() + usize::from(spot)] = best.1;
        }
        values = before;
    }
    traced(atlas, from, ticks, &choices)
}

/// The steps that the choices lead along if nothing stops them.
fn traced(atlas: &DistanceTable, from: CellIndex, ticks: usize, choices: &[Step]) -> Vec<Step> {
    let mut at = from;
    (0..ticks)
        .map(|tick| {
            let step = choices[tick * atlas.len() + usize::from(at)];
            at = atlas.step(at, step);
            step
        })
        .collect()
}

/// Changes the plan of one cop of a joint plan to its best against a mixture of the thief's plans,
/// while the others keep theirs.
pub fn cop_reply(
    arena: &Joint,
    cop: usize,
    from: CellIndex,
    column: &Column,
    rows: &[Row],
    mix: &[f32],
) -> Vec<Step> {
    let (ground, atlas, futures) = (arena.ground, &arena.ground.atlas, arena.futures);
    let ticks = futures.ticks;
    let others = column.tracks_but(Some(cop));
    let mut ends: Vec<CellIndex> = column.ends.clone();
    ends.remove(cop);
    let race = race(ground, &ends);
    let adjacent = ground.board().rules().capture_adjacent;
    let mut prize = vec![0.0_f32; ticks * atlas.len()];
    let mut free: Vec<(CellIndex, f32)> = Vec::new();
    let (mut wander, mut wanderer) = (None, Vec::new());
    let mut heavy: Vec<usize> = (0..rows.len()).filter(|&i| mix[i] > LEAST).collect();
    heavy.sort_by(|&a, &b| mix[b].total_cmp(&mix[a]).then(a.cmp(&b)));
    for &i in &heavy {
        let row = &rows[i];
        if let Some(cloud) = &row.cloud {
            let pays = cloud.pays(arena, &others, &ends);
            wanderer = cloud.prizes(arena, &others, pays, mix[i], &mut prize);
            wander = Some(cloud);
            continue;
        }
        let weight = mix[i] / futures.count as f32;
        let mut paid: Option<(CellIndex, f32)> = None;
        for future in 0..futures.count {
            let caught = arena.caught(future, row, &others);
            let escape = arena.escape(future, row);
            let pays = match (caught, escape) {
                (Some(tick), _) => tick as f32,
                (None, Some(tick)) => arena.escape_pays(tick),
                (None, None) => {
                    let end = arena.end(future, row);
                    match free.iter_mut().find(|(known, _)| *known == end) {
                        Some((_, sum)) => *sum += weight,
                        None => free.push((end, weight)),
                    }
                    match paid {
                        Some((known, pays)) if known == end => pays,
                        _ => {
                            let pays = arena.end_pays(end, &ends, &race);
                            paid = Some((end, pays));
                            pays
                        }
                    }
                }
            };
            let until = caught.or(escape).unwrap_or(ticks);
            for tick in 0..until {
                let at = row.track[future * ticks + tick];
                if at == GONE {
                    break;
                }
                let gain = weight * (pays - tick as f32);
                let level = &mut prize[tick * atlas.len()..][..atlas.len()];
                level[usize::from(at)] += gain;
                if adjacent {
                    STEPS[1..].iter().for_each(|&s| level[usize::from(atlas.ahead(at, s))] += gain);
                }
            }
        }
    }
    free.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    free.truncate(MOST_ENDS);
    let reach = within(atlas, from, ticks);
    let mut values = vec![0.0_f32; atlas.len()];
    let mut joint = race.clone();
    for &end in &reach {
        joint
            .iter_mut()
            .zip(race.iter().zip(atlas.from(end)))
            .for_each(|(j, (&a, &b))| *j = a.min(b));
        ends.push(end);
        let mut pays: f32 =
            free.iter().map(|&(thief, w)| w * arena.end_pays(thief, &ends, &joint)).sum();
        if let Some(cloud) = wander {
            pays += wanderer.iter().map(|&(i, w)| w * cloud.later(arena, i, &ends)).sum::<f32>();
        }
        values[usize::from(end)] = -pays;
        ends.pop();
    }
    let mut choices = vec![Step::Stay; ticks * atlas.len()];
    for tick in (0..ticks).rev() {
        let level = &prize[tick * atlas.len()..][..atlas.len()];
        let arrive = |spot: CellIndex| level[usize::from(spot)] + values[usize::from(spot)];
        let mut before = values.clone();
        for &spot in reach.iter().filter(|&&s| usize::from(atlas.distance(from, s)) <= tick) {
            let stay = arrive(spot);
            let mut best = (stay, Step::Stay);
            for step in &STEPS[1..] {
                let to = atlas.step(spot, *step);
                if to != spot {
                    let wall = futures.share(|future| futures.is_walled(future, tick, to));
                    let value = wall * stay + (1.0 - wall) * arrive(to);
                    if value > best.0 {
                        best = (value, *step);
                    }
                }
            }
            before[usize::from(spot)] = best.0;
            choices[tick * atlas.len() + usize::from(spot)] = best.1;
        }
        values = before;
    }
    traced(atlas, from, ticks, &choices)
}
