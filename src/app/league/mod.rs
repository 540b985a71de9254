//! The league: planners that play on by themselves until somebody stops them. Its screen shows the table and
//! the choices; its matches are watched on the match screen. It goes on only while one of them is shown.

mod best_of;
mod championship;
mod championships;
mod choices;
pub mod commands;
mod saved;
mod screen;
mod standings;
mod state;

use crate::app::requests::{
    MatchConfig, OpenChampionships, Screen, Series, SeriesEvent, StartLeague,
};
use crate::app::shell::activity::{Activity, POLL};
use crate::app::shell::notice::Notice;
use crate::app::shell::programs::{ChosenPrograms, ProgramChoice};
use crate::app::shell::settings::Settings;
use crate::app::shell::{Frame, Pass};
use best_of::BestOfFive;
use bevy::prelude::*;
use bevy_egui::EguiPrimaryContextPass;
use championship::ChampionshipRun;
use championships::Championships;
use outwit_core::escape::escaped;
use outwit_headless::find;
pub use state::LeagueState;

/// Shows the league that was watched last, and begins its next match where that is asked for.
fn enter(
    mut commands: Commands,
    league: Option<ResMut<LeagueState>>,
    mut start: ResMut<StartLeague>,
    settings: Res<Settings>,
    chosen: Res<ChosenPrograms>,
    mut next: ResMut<NextState<Screen>>,
    mut notices: MessageWriter<Notice>,
) {
    let start = std::mem::take(&mut start.0);
    let programs = ProgramChoice::new(chosen.clone(), settings.programs.clone());
    if let Some(mut league) = league {
        league.programs = programs;
        league.leave();
        league.refresh();
        if start {
            begin(&mut league, &mut commands, &mut next, &mut notices);
        }
        return;
    }
    let (mut league, message) = LeagueState::of(saved::last_game(), settings.budget(), programs);
    notices.write_batch(message.map(Notice::error));
    if start {
        begin(&mut league, &mut commands, &mut next, &mut notices);
    }
    commands.insert_resource(league);
}

/// Begins the next match of the league, or goes back to its screen where there is none.
fn begin(
    league: &mut LeagueState,
    commands: &mut Commands,
    next: &mut NextState<Screen>,
    notices: &mut MessageWriter<Notice>,
) {
    match league.begin_next() {
        Ok(config) => {
            commands.insert_resource(league.series(&config));
            show(config, commands, next);
        }
        Err(why) => {
            notices.write(Notice::error(why));
            next.set(Screen::League);
        }
    }
}

fn show(config: MatchConfig, commands: &mut Commands, next: &mut NextState<Screen>) {
    commands.insert_resource(config);
    next.set(Screen::Match);
}

/// What a series needs to go on.
#[derive(bevy::ecs::system::SystemParam)]
struct Going<'w, 's> {
    commands: Commands<'w, 's>,
    next: ResMut<'w, NextState<Screen>>,
    notices: MessageWriter<'w, Notice>,
    league: Option<ResMut<'w, LeagueState>>,
    best_of: Option<ResMut<'w, BestOfFive>>,
    championships: ResMut<'w, Championships>,
    settings: Res<'w, Settings>,
}

/// Takes what becomes of the matches, and says which one comes next.
fn go_on(mut events: MessageReader<SeriesEvent>, series: Option<Res<Series>>, going: Going) {
    let Going { mut commands, mut next, mut notices, league, best_of, championships, settings } =
        going;
    let mut league = league.filter(|_| best_of.is_none());
    let mut best_of = best_of;
    let mut championships = championships;
    for event in events.read() {
        if let SeriesEvent::BestOfFive(config, places) = event {
            let mut fresh = BestOfFive::new((**config).clone(), places);
            if let Some(config) = fresh.begin_next() {
                commands.insert_resource(fresh.series());
                show(config, &mut commands, &mut next);
            }
            commands.insert_resource(fresh);
            return;
        }
        if let SeriesEvent::Championship(config) = event {
            let shown = (&mut commands, &mut *next, &mut notices);
            begin_championship(config, &mut championships, &settings, shown);
            return;
        }
        if let SeriesEvent::DiscardChampionship(game) = event {
            match championships.discard(game) {
                Ok(()) => notices.write(Notice::info("The championship was discarded.")),
                Err(why) => notices.write(Notice::error(why.to_string())),
            };
            continue;
        }
        let raced = series.as_ref().filter(|series| series.is_played);
        let raced = raced.map(|series| series.config.game);
        if let Some(game) = raced
            && championships.of(game).is_some()
        {
            if let SeriesEvent::Ended(places) = event {
                if let Some(run) = championships.of(game) {
                    run.enter(places);
                }
                if let Err(why) = championships.keep(game) {
                    let told = format!("The championship could not be saved. {why}");
                    notices.write(Notice::error(told));
                }
            }
            let Some(championship) = championships.of(game) else { continue };
            if *event == SeriesEvent::Next
                && let Some(config) = championship.begin_next()
            {
                show(config, &mut commands, &mut next);
            }
            commands.insert_resource(championship.series());
        } else if let Some(best_of) = &mut best_of {
            match event {
                SeriesEvent::Ended(places) => best_of.enter(places),
                SeriesEvent::Next => {
                    if let Some(config) = best_of.begin_next() {
                        show(config, &mut commands, &mut next);
                    }
                }
                SeriesEvent::Failed(_)
                | SeriesEvent::BestOfFive(..)
                | SeriesEvent::Championship(_)
                | SeriesEvent::DiscardChampionship(_) => {}
            }
            commands.insert_resource(best_of.series());
        } else if let (Some(league), Some(series)) = (&mut league, &series) {
            match event {
                SeriesEvent::Ended(places) => {
                    if league.enter(places.clone()) {
                        save(league, &mut notices);
                    }
                    commands.insert_resource(league.series(&series.config));
                }
                SeriesEvent::Next => {
                    league.skip();
                    begin(league, &mut commands, &mut next, &mut notices);
                }
                SeriesEvent::Failed(why) => match league.fail(why) {
                    Ok(()) => begin(league, &mut commands, &mut next, &mut notices),
                    Err(why) => {
                        notices.write(Notice::error(format!("The league stopped. {why}")));
                        next.set(Screen::League);
                    }
                },
                SeriesEvent::BestOfFive(..)
                | SeriesEvent::Championship(_)
                | SeriesEvent::DiscardChampionship(_) => {}
            }
        }
    }
}

/// Begins a championship, or goes on with one.
fn begin_championship(
    config: &MatchConfig,
    championships: &mut Championships,
    settings: &Settings,
    (commands, next, notices): (&mut Commands, &mut NextState<Screen>, &mut MessageWriter<Notice>),
) {
    if let Some(run) = championships.of(config.game).filter(|run| run.goes_on(config)) {
        notices.write(Notice::info(format!("Championship resumed: {}.", run.race())));
        if let Some(config) = run.begin_next() {
            commands.insert_resource(run.series());
            show(config, commands, next);
        }
        return;
    }
    let fresh = find(config.game)
        .map_err(|why| why.to_string())
        .and_then(|kind| ChampionshipRun::new(kind, config, &settings.beaten));
    match fresh {
        Ok(mut run) => {
            if let Some(config) = run.begin_next() {
                commands.insert_resource(run.series());
                show(config, commands, next);
            }
            championships.begin(run);
        }
        Err(why) => {
            notices.write(Notice::error(why));
        }
    }
}

fn save(league: &mut LeagueState, notices: &mut MessageWriter<Notice>) {
    if let Err(why) = league.save() {
        notices.write(Notice::error(format!("The league could not be saved. {why}")));
    }
}

/// Enters the results of skipped matches that were played in the background.
fn take_unseen(
    mut commands: Commands,
    mut league: ResMut<LeagueState>,
    series: Option<Res<Series>>,
    best_of: Option<Res<BestOfFive>>,
    activity: Res<Activity>,
    mut notices: MessageWriter<Notice>,
) {
    if !league.is_busy() {
        return;
    }
    activity.wake_in(POLL);
    if league.poll() {
        save(&mut league, &mut notices);
        if let (Some(series), None) = (series, best_of) {
            commands.insert_resource(league.series(&series.config));
        }
    }
}

/// Ends the series when its match is left.
fn end_series(
    mut changes: MessageReader<StateTransitionEvent<Screen>>,
    league: Option<ResMut<LeagueState>>,
    mut commands: Commands,
) {
    let left = |change: &StateTransitionEvent<Screen>| {
        change.exited == Some(Screen::Match) && change.entered != Some(Screen::Match)
    };
    // Both are read, so that no change is seen twice.
    if changes.read().filter(|change| left(change)).count() > 0 {
        commands.remove_resource::<Series>();
        commands.remove_resource::<BestOfFive>();
        if let Some(mut league) = league {
            league.leave();
        }
    }
}

/// Keeps what was chosen when the screen is left.
fn leave(
    mut league: Option<ResMut<LeagueState>>,
    mut chosen: ResMut<ChosenPrograms>,
    mut settings: ResMut<Settings>,
    mut notices: MessageWriter<Notice>,
) {
    if let Some(league) = &mut league {
        league.programs.keep(&mut chosen, &mut settings);
        save(league, &mut notices);
    }
}

/// Keeps the league when the program ends.
fn keep_on_exit(league: Option<ResMut<LeagueState>>, mut exits: MessageReader<AppExit>) {
    if exits.read().next().is_some()
        && let Some(mut league) = league
        && let Err(why) = league.save()
    {
        error!("The league could not be saved. {}", escaped(&why));
    }
}

/// Adds the league's screen and what enters results.
pub fn plugin(app: &mut App) {
    app.init_resource::<StartLeague>()
        .init_resource::<OpenChampionships>()
        .init_resource::<Championships>()
        .add_systems(OnEnter(Screen::Setup), championships::read)
        .add_systems(OnEnter(Screen::League), enter)
        .add_systems(OnExit(Screen::League), leave)
        .add_systems(Last, keep_on_exit)
        .add_systems(
            Update,
            (
                end_series,
                go_on,
                championships::offer.run_if(resource_changed::<Championships>),
                take_unseen.run_if(resource_exists::<LeagueState>),
            )
                .chain()
                .after(Frame::Match)
                .before(Frame::Report),
        )
        .add_systems(
            EguiPrimaryContextPass,
            screen::show
                .run_if(in_state(Screen::League).and_then(resource_exists::<LeagueState>))
                .in_set(Pass::Screen),
        );
}
