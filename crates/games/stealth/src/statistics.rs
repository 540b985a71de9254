//! Statistics over many seeds: what a planner makes of a level in each run, and all runs together.

use super::ground::{Ground, RouteEnd};
use super::planners::{self, EVALUATIONS_TO_BEST, GENERATIONS_TO_BEST};
use super::route::Route;
use super::rules::Stealth;
use outwit_core::play::{
    Budget, Chance, Clock, Match, PlannerContext, PlannerSpec, Progress, Salt, Seat, StopFlag,
    find_planner,
};
use serde::Serialize;
use std::ops::Range;
use std::sync::Arc;

/// What became of one run of a planner.
#[derive(Clone, PartialEq, Debug)]
pub struct PlannerRun {
    /// The seed of the match.
    pub seed: u64,
    /// The path that was played.
    pub route: Route,
    /// Its fitness in units of the [`Ground`]; lower is better.
    pub fitness: i128,
    /// Whether it reaches the goal.
    pub is_complete: bool,
    /// Work units: evaluated paths, or settled cells.
    pub evaluations: u64,
    /// Evaluations until the best path of the run was first found, if the planner counts them. Without
    /// an elite the path that is played may be a worse one.
    pub evaluations_to_best: Option<u64>,
    /// The generation in which it was first found, if there are generations.
    pub generations_to_best: Option<u32>,
}

/// The runs of a planner, one for each seed, made one at a time by [`next`](Iterator::next).
///
/// A run is a match of that seed as `outwit match` plays it, with no limit of work. The iterator ends
/// early if the stop flag is raised.
///
/// ```
/// use outwit_kit::read_level;
/// use outwit_stealth::Stealth;
/// use outwit_stealth::exact::best_complete;
/// use outwit_stealth::statistics::{RunSummary, Runs};
/// use outwit_levels::built_in;
/// use outwit_core::play::{Game, StopFlag};
/// use std::sync::Arc;
///
/// let bytes = built_in("stealth/report-2").unwrap().bytes().unwrap();
/// let level = read_level::<Stealth>(&bytes, "report-2.ron").unwrap();
/// let game = Arc::new(Stealth::new(&level, 1).unwrap());
/// let runs: Vec<_> = Runs::new(&game, "genetic+", 1..6, StopFlag::default()).unwrap().collect();
/// let optimum = best_complete(game.ground()).map(|best| best.fitness);
/// let summary = RunSummary::of(game.ground(), &runs, optimum);
/// assert_eq!((summary.runs, summary.complete), (5, Some(1.0)));
/// ```
pub struct Runs {
    game: Arc<Stealth>,
    spec: &'static PlannerSpec<Stealth>,
    seeds: Range<u64>,
    salt: Option<Salt>,
    stop: StopFlag,
}

impl Runs {
    /// Runs that are still to be made.
    ///
    /// # Errors
    /// If there is no such planner.
    pub fn new(
        game: &Arc<Stealth>,
        planner: &str,
        seeds: Range<u64>,
        stop: StopFlag,
    ) -> Result<Self, String> {
        let spec = find_planner(planners::ALL, planner, Seat(0))?;
        Ok(Self { game: Arc::clone(game), spec, seeds, salt: None, stop })
    }

    /// The same in matches whose chance is sealed so.
    #[must_use]
    pub fn salted(self, salt: Option<Salt>) -> Self {
        Self { salt, ..self }
    }

    /// The run with this seed; `None` if the stop flag is raised meanwhile.
    fn run(&self, seed: u64) -> Option<PlannerRun> {
        let chance = Chance::salted(seed, self.salt);
        let mut played = Match::with_chance(Arc::clone(&self.game), chance).ok()?;
        let context = PlannerContext {
            game: Arc::clone(&self.game),
            seat: Seat(0),
            seed: played.chance().planner_seed(Seat(0)),
        };
        let mut planner = (self.spec.make)(context);
        let mut evaluations = 0;
        while let [seat] = played.to_move()[..] {
            planner.observe(&played.observation(played.len(), seat)?);
            let clock = Clock::new(Budget::Work(u64::MAX), self.stop.clone());
            while planner.think(&clock) == Progress::More && !clock.is_over() {}
            if self.stop.is_raised() {
                return None;
            }
            evaluations += clock.used();
            played.advance(vec![(seat, planner.best())]).ok()?;
        }
        let ground = self.game.ground();
        let route = played.state().walked.clone();
        // In the fog these figures would be those of the last move alone.
        let counters = if self.game.is_foggy() { Vec::new() } else { planner.insight().counters };
        let counter = |name: &str| counters.iter().find(|it| it.name == name).map(|it| it.value);
        Some(PlannerRun {
            seed,
            fitness: ground.fitness(&route),
            is_complete: self.game.end(played.state()) == Some(RouteEnd::Goal),
            route,
            evaluations,
            evaluations_to_best: counter(EVALUATIONS_TO_BEST).map(|value| value as u64),
            generations_to_best: counter(GENERATIONS_TO_BEST).map(|value| value as u32),
        })
    }
}

impl Iterator for Runs {
    type Item = PlannerRun;

    fn next(&mut self) -> Option<PlannerRun> {
        let seed = self.seeds.next()?;
        self.run(seed)
    }
}

/// How values are distributed.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Distribution {
    /// The mean.
    pub mean: f64,
    /// The lowest value.
    pub lowest: f64,
    /// A quarter of the values lie below; between two values it is interpolated, as are the others.
    pub lower_quartile: f64,
    /// Half of the values lie below.
    pub median: f64,
    /// Three quarters of the values lie below.
    pub upper_quartile: f64,
    /// The highest value.
    pub highest: f64,
}

impl Distribution {
    /// The distribution of some finite values; `None` of none.
    pub fn of(mut values: Vec<f64>) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        let last = values.len().checked_sub(1)?;
        let quantile = |share: f64| {
            let place = share * last as f64;
            let below = *values.get(place.floor() as usize)?;
            let above = *values.get(place.ceil() as usize)?;
            Some(below + (above - below) * place.fract())
        };
        Some(Self {
            mean: values.iter().sum::<f64>() / values.len() as f64,
            lowest: quantile(0.0)?,
            lower_quartile: quantile(0.25)?,
            median: quantile(0.5)?,
            upper_quartile: quantile(0.75)?,
            highest: quantile(1.0)?,
        })
    }
}

/// One bar of a histogram of fitness.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Bin {
    /// The lowest fitness that counts.
    pub from: f64,
    /// Where the next bar begins; the last one holds this value too.
    pub to: f64,
    /// Runs that reach the goal.
    pub complete: usize,
    /// Other runs.
    pub incomplete: usize,
}

/// The bars of a histogram, if not all values are the same.
const BINS: usize = 20;

/// All runs of a planner together. Shares are from 0 to 1, and `None` without runs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RunSummary {
    /// Number of runs.
    pub runs: usize,
    /// The share that reaches the goal.
    pub complete: Option<f64>,
    /// The share that reaches the goal with the best fitness possible, if that is known.
    pub optimum: Option<f64>,
    /// The fitness of the paths that were played, dead ends included.
    pub fitness: Option<Distribution>,
    /// How often each fitness occurs, in bars of equal width from the lowest to the highest.
    pub histogram: Vec<Bin>,
    /// Generations until the best path of a run was first found.
    pub generations_to_best: Option<Distribution>,
    /// Evaluations until the best path of a run was first found.
    pub evaluations_to_best: Option<Distribution>,
    /// The mean number of evaluations of a run.
    pub evaluations: Option<f64>,
}

impl RunSummary {
    /// The summary of some runs; `optimum` is the fitness of the best complete path.
    pub fn of(ground: &Ground, runs: &[PlannerRun], optimum: Option<i128>) -> Self {
        let share = |count: usize| (!runs.is_empty()).then(|| count as f64 / runs.len() as f64);
        let complete = || runs.iter().filter(|run| run.is_complete);
        let numbers: Vec<f64> = runs.iter().map(|run| ground.number(run.fitness)).collect();
        let fitness = Distribution::of(numbers.clone());
        let count = |value: u64| value as f64;
        let generations = runs.iter().filter_map(|run| run.generations_to_best.map(f64::from));
        let to_best = runs.iter().filter_map(|run| run.evaluations_to_best.map(count));
        Self {
            runs: runs.len(),
            complete: share(complete().count()),
            optimum: optimum
                .and_then(|best| share(complete().filter(|run| run.fitness == best).count())),
            histogram: fitness
                .map(|fitness| histogram(runs, &numbers, fitness))
                .unwrap_or_default(),
            fitness,
            generations_to_best: Distribution::of(generations.collect()),
            evaluations_to_best: Distribution::of(to_best.collect()),
            evaluations: share(runs.iter().map(|run| run.evaluations as usize).sum()),
        }
    }
}

fn histogram(
    runs: &[PlannerRun],
    numbers: &[f64],
    Distribution { lowest, highest, .. }: Distribution,
) -> Vec<Bin> {
    let bars = if lowest < highest { BINS } else { 1 };
    let width = (highest - lowest) / bars as f64;
    let edge = |bar: usize| if bar == bars { highest } else { lowest + width * bar as f64 };
    let mut bins: Vec<Bin> = (0..bars)
        .map(|bar| Bin { from: edge(bar), to: edge(bar + 1), complete: 0, incomplete: 0 })
        .collect();
    for (run, &number) in runs.iter().zip(numbers) {
        let bar = if width > 0.0 { ((number - lowest) / width) as usize } else { 0 };
        if let Some(bin) = bins.get_mut(bar.min(bars - 1)) {
            match run.is_complete {
                true => bin.complete += 1,
                false => bin.incomplete += 1,
            }
        }
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::best_complete;
    use crate::tests::{game, level_of, shipped};

    fn run(fitness: i128, is_complete: bool, generations: Option<u32>) -> PlannerRun {
        PlannerRun {
            seed: 0,
            route: Route::default(),
            fitness,
            is_complete,
            evaluations: 10,
            evaluations_to_best: generations.map(|it| 50 * u64::from(it)),
            generations_to_best: generations,
        }
    }

    #[test]
    fn a_summary_counts_what_it_says() {
        let game = game(&level_of(&["O..Y"]));
        let ground = game.ground();
        // 1 is two units here.
        assert_eq!(ground.scale(), 2);
        let runs = [
            run(0, true, Some(4)),
            run(0, true, Some(2)),
            run(80, true, None),
            run(20, false, Some(9)),
            run(0, false, None),
        ];
        let summary = RunSummary::of(ground, &runs, Some(0));
        assert_eq!((summary.runs, summary.complete, summary.optimum), (5, Some(0.6), Some(0.4)));
        let fitness = summary.fitness.unwrap();
        assert_eq!((fitness.mean, fitness.lowest, fitness.highest), (10.0, 0.0, 40.0));
        assert_eq!(
            (fitness.lower_quartile, fitness.median, fitness.upper_quartile),
            (0.0, 0.0, 10.0)
        );
        let generations = summary.generations_to_best.unwrap();
        assert_eq!((generations.mean, generations.median), (5.0, 4.0));
        assert_eq!(summary.evaluations_to_best.unwrap().highest, 450.0);
        assert_eq!(summary.evaluations, Some(10.0));
        let bins = &summary.histogram;
        assert_eq!((bins.len(), bins[0].from, bins[0].to, bins[19].to), (20, 0.0, 2.0, 40.0));
        assert_eq!((bins[0].complete, bins[0].incomplete), (2, 1));
        assert_eq!((bins[5].complete, bins[5].incomplete, bins[19].complete), (0, 1, 1));
        assert_eq!(bins.iter().map(|bin| bin.complete + bin.incomplete).sum::<usize>(), 5);
        // One value only, and none at all.
        let same = RunSummary::of(ground, &runs[..2], None);
        assert_eq!((same.histogram.len(), same.histogram[0].complete, same.optimum), (1, 2, None));
        let none = RunSummary::of(ground, &[], Some(0));
        assert_eq!((none.complete, none.fitness, none.histogram.len()), (None, None, 0));
    }

    #[test]
    fn quantiles_lie_between_values() {
        let quarters = Distribution::of(vec![4.0, 1.0, 2.0, 3.0]).unwrap();
        assert_eq!(
            (quarters.lower_quartile, quarters.median, quarters.upper_quartile),
            (1.75, 2.5, 3.25)
        );
    }

    #[test]
    fn runs_are_the_matches_of_their_seeds() {
        let game = Arc::new(game(&shipped("report-3")));
        let runs = |planner| {
            Runs::new(&game, planner, 3..7, StopFlag::default()).unwrap().collect::<Vec<_>>()
        };
        let optimum = best_complete(game.ground()).map(|best| best.fitness);
        for planner in ["genetic", "genetic+", "random-walks", "exact"] {
            let found = runs(planner);
            assert_eq!(found, runs(planner), "{planner}");
            assert_eq!(found.iter().map(|run| run.seed).collect::<Vec<_>>(), [3, 4, 5, 6]);
            for run in &found {
                assert_eq!(game.ground().fitness(&run.route), run.fitness);
                assert!(
                    run.evaluations_to_best.is_none_or(|it| (1..=run.evaluations).contains(&it))
                );
                assert_eq!(run.generations_to_best.is_some(), planner.starts_with("genetic"));
                assert!(run.generations_to_best.is_none_or(|it| it <= 200), "{run:?}");
            }
            let exact = planner == "exact";
            let summary = RunSummary::of(game.ground(), &found, optimum);
            assert!(!exact || summary.optimum == Some(1.0));
        }
        let stop = StopFlag::default();
        stop.raise();
        assert_eq!(Runs::new(&game, "genetic", 0..9, stop).unwrap().count(), 0);
        assert!(Runs::new(&game, "nobody", 0..9, StopFlag::default()).is_err());
    }
}
