//! Positions as planes, and play by numbers.

use super::RaceTime;
use super::drawing::PALETTE;
use super::rules::{Accelerate, Car, CarStatus, Race, Racetrack};
use outwit_core::grid::{Cell, UNREACHED};
use outwit_core::play::{Game, Seat, StopFlag};
use outwit_kit::{
    CostToGo, Number, NumberedPlay, Plane, PlaneSpec, TileKind, TileStyle, make_batch,
};
use std::sync::Arc;

const CAR: Plane = Plane::new("Car", '@', [0, 114, 178]).drawn_as("car");
const OTHERS: Plane = Plane::new("Other cars", 'o', [213, 94, 0]).drawn_as("car-2");

/// What a car gets that does not finish.
const OUT: f64 = -1000.0;

/// The plane of a tile, in the colours of a drawing.
fn tile_plane(tile: &TileKind) -> Plane {
    let colour = match tile.look {
        TileStyle::Void => [74, 78, 84],
        TileStyle::Ground | TileStyle::Wall => [251, 250, 246],
        TileStyle::Start => [170, 214, 196],
        TileStyle::Goal => [204, 121, 167],
        TileStyle::Mark => [156, 199, 232],
    };
    Plane::new(tile.name, tile.symbol, colour)
}

/// The tiles that have planes. Sand, the last one, has none on tracks without it, so that what was trained before there
/// was sand finds the planes that it knows.
fn tiles(race: &Racetrack) -> &'static [TileKind] {
    match PALETTE.split_last() {
        Some((_, others)) if !race.track().has_sand() => others,
        _ => PALETTE,
    }
}

pub(super) const PLANES: PlaneSpec<Racetrack> = PlaneSpec {
    fixed: |race| tiles(race).iter().map(tile_plane).collect(),
    mark_fixed: |race, canvas| canvas.mark_tiles(&race.level().cells('#'), tiles(race)),
    moving: |race| [CAR, OTHERS][..race.seats().min(2)].to_vec(),
    mark_moving: |_, race, seat, canvas| {
        for (other, car) in race.cars.iter().enumerate() {
            canvas.mark(usize::from(other != seat.index()), car.cell);
        }
    },
    shown_to: |_, _| Seat(0),
};

/// The accelerations, row by row from (-1,-1) to (1,1).
fn acceleration(number: i32) -> Accelerate {
    Accelerate(Cell::new(number % 3 - 1, number / 3 - 1))
}

/// What a car has spent: the time of one that has finished, else its turns.
fn spent(car: &Car) -> f64 {
    Racetrack::time(car).unwrap_or(f64::from(car.turns))
}

/// An illegal acceleration counts as the null action.
pub(super) const NUMBERED_PLAY: NumberedPlay<Racetrack> = NumberedPlay {
    numbers: |race| {
        let fastest = race.track().fastest_component();
        vec![
            Number { name: "Velocity to the right", least: -fastest, most: fastest },
            Number { name: "Velocity downwards", least: -fastest, most: fastest },
            Number { name: "Gates passed", least: 0, most: race.track().gates().into() },
        ]
    },
    write_numbers: |_, race, seat, numbers| {
        let car = &race.cars[seat.index()];
        numbers.copy_from_slice(&[car.velocity.x, car.velocity.y, car.progress.into()]);
    },
    choices: |_| vec![vec![9]],
    mark_legal: |game, race, mask| {
        for (number, legal) in (0..).zip(mask) {
            *legal = u8::from(game.refusal(race, mover(race), acceleration(number)).is_none());
        }
    },
    is_over: |_, race| usize::from(race.mover) >= race.cars.len(),
    mover: |_, race| mover(race),
    step: |game, race, numbers, chance, events, rewards| {
        let seat = mover(race);
        let before = spent(&race.cars[seat.index()]);
        let mut choice = acceleration(numbers[0]);
        if game.refusal(race, seat, choice).is_some() {
            choice = game.null_action(race, seat);
        }
        game.advance(race, &[(seat, choice)], chance, events);
        let car = &race.cars[seat.index()];
        rewards[seat.index()] = match car.standing {
            CarStatus::Out(_) => OUT,
            CarStatus::Racing | CarStatus::Finished { .. } => before - spent(car),
        };
    },
    cost_to_go: Some(cost_to_go),
    distance: Some(distance),
    make_batch: make_batch!(Racetrack),
};

/// Whose turn it is; once the race is over, the last seat.
fn mover(race: &Race) -> Seat {
    Seat(race.mover.min(race.cars.len() as u8 - 1))
}

/// The least time to the finish, by the exact table; where there is no way to it any more, what a race without a finish
/// costs.
fn cost_to_go(game: &Racetrack, stop: &StopFlag) -> Result<CostToGo<Racetrack>, String> {
    one_car(game)?;
    let table = game.exact_table(&|| stop.is_raised()).map_err(|why| why.to_string())?;
    let track = game.track().clone();
    Ok(Arc::new(move |race| {
        let car = &race.cars[0];
        let time = table.time(&track, car.cell, car.velocity, car.progress);
        Some(time.map_or(-OUT, RaceTime::in_turns))
    }))
}

/// The steps of the shortest way over the gates that are left.
fn distance(game: &Racetrack, _stop: &StopFlag) -> Result<CostToGo<Racetrack>, String> {
    one_car(game)?;
    let ways = game.track().ways();
    Ok(Arc::new(move |race| {
        let car = &race.cars[0];
        let way = *ways.get(usize::from(car.progress))?.get(car.cell)?;
        (way != UNREACHED).then(|| way.into())
    }))
}

fn one_car(game: &Racetrack) -> Result<(), String> {
    if game.seats() > 1 {
        return Err("what play still costs is known for one car alone".into());
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::level::{FORMAT, RaceRules, TrackFile};
    use outwit_core::play::CheckedLevel;

    #[test]
    fn only_tracks_with_sand_have_a_plane_for_it() {
        let planes = |row: &str| {
            let level = TrackFile {
                format: FORMAT.into(),
                name: "Planes".into(),
                author: String::new(),
                about: String::new(),
                rules: RaceRules::default(),
                map: vec![row.into(), row.into()],
            };
            let race = Racetrack::new(&CheckedLevel::new(level).unwrap(), 1).unwrap();
            (PLANES.fixed)(&race).iter().map(|plane| plane.name).collect::<Vec<_>>()
        };
        let (plain, sandy) = (planes("S.F"), planes("S~F"));
        assert_eq!(sandy.split_last(), Some((&"Sand", plain.as_slice())));
        assert!(!plain.contains(&"Sand"));
    }
}
