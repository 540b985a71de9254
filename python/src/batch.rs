//! Many matches at once, played by numbers into arrays of NumPy.

use super::arguments;
use super::guard::{Threads, guarded, interruptible};
use super::level::Level;
use super::{error, need_numpy, seats};
use numpy::{
    PyArray, PyArray1, PyArray2, PyArray4, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray1,
    PyUntypedArray, PyUntypedArrayMethods,
};
use outwit_core::play::StopFlag;
use outwit_kit::{BatchArrays, BatchLayout, DynBatch, RewardKind};
use pyo3::prelude::*;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use std::thread::available_parallelism;

/// As many matches go to a thread at a time, at least.
const CHUNK: usize = 128;

/// More threads than this are refused.
const MOST_THREADS: usize = 1024;

/// More bytes than this are not taken for the arrays of a batch.
const MOST_BYTES: usize = 16 << 30;

/// Many matches of one game on one level, which are played at the same time without Python in between: the fastest way
/// to play for programs that learn.
///
/// Actions are numbers; what they mean stands in `outwit.envs` and `outwit.zoo`. The arrays `planes` (copies × planes ×
/// rows × columns), `numbers` (copies × numbers), `masks` (copies × choices, 1 for what is legal), `rewards` (copies ×
/// seats), `is_over`, `movers` (whose turn it is, and whose view the planes are) and `seeds` are written in place by each
/// step: copy what you keep.
///
/// A match that is over begins again in the next step, with another seed and without a reward. `Level.start` with the
/// seed in `seeds` begins the same match. A batch of a single match can be copied by `copy.deepcopy`, as can environments
/// that play one.
///
/// `reward` is `"result"`; `"progress"` for the result and beside it how much nearer a turn has come, in Pukoban and in
/// Racetrack with one car; or `"loss"` for what was lost against perfect play, in Racetrack with one car. Threads beyond
/// one are worth it from some hundred copies on; without `threads` there is one for each core.
///
/// >>> batch = Batch(Level.open("mnk/3x3x3"), 1000)
/// >>> batch.reset(seed=1)
/// >>> batch.step([4] * 1000)
/// >>> batch.planes.shape, int(batch.masks[0].sum())
/// ((1000, 2, 3, 3), 8)
#[pyclass(module = "outwit")]
pub struct Batch {
    layout: BatchLayout,
    seat_names: Vec<String>,
    copies: usize,
    chunks: Vec<Box<dyn DynBatch>>,
    /// `None` if there is only the one that calls.
    threads: Option<Threads>,
    has_begun: bool,
    /// As the batches of the chunks want them.
    actions: Vec<i32>,
    /// Those of a single match since it began.
    played: Vec<i32>,
    planes: Py<PyArray4<u8>>,
    numbers: Py<PyArray2<i32>>,
    masks: Py<PyArray2<u8>>,
    rewards: Py<PyArray2<f64>>,
    is_over: Py<PyArray1<bool>>,
    movers: Py<PyArray1<u8>>,
    seeds: Py<PyArray1<u64>>,
}

/// What a chunk reads and writes.
struct Work<'a> {
    batch: &'a mut Box<dyn DynBatch>,
    actions: &'a [i32],
    seeds: &'a [u64],
    out: BatchArrays<'a>,
}

/// An array for others, who could resize one that owns its data.
fn view<T>(array: &Py<T>, py: Python<'_>) -> PyResult<Py<PyAny>> {
    array.call_method0(py, "view")
}

/// The first part of a slice, which is cut off.
fn take<'a, T>(rest: &mut &'a mut [T], count: usize) -> PyResult<&'a mut [T]> {
    let split = std::mem::take(rest).split_at_mut_checked(count);
    let (first, others) =
        split.ok_or_else(|| error("an array of this batch was resized: make another batch"))?;
    *rest = others;
    Ok(first)
}

impl Batch {
    /// Matches like those of `first`, none of them begun.
    fn of(
        py: Python<'_>,
        first: Box<dyn DynBatch>,
        seat_names: Vec<String>,
        copies: usize,
        threads: usize,
    ) -> Self {
        let layout = first.layout().clone();
        let mut chunks = vec![first];
        while chunks.len() < copies.div_ceil(CHUNK) {
            chunks.push(chunks[0].another());
        }
        let threads = threads.min(chunks.len());
        let planes = [copies, layout.planes.len(), layout.rows, layout.columns];
        Self {
            seat_names,
            copies,
            chunks,
            threads: (threads > 1).then(|| Threads::new(threads)),
            has_begun: false,
            actions: Vec::new(),
            played: Vec::new(),
            planes: PyArray::zeros(py, planes, false).unbind(),
            numbers: PyArray::zeros(py, [copies, layout.numbers.len()], false).unbind(),
            masks: PyArray::zeros(py, [copies, layout.mask()], false).unbind(),
            rewards: PyArray::zeros(py, [copies, layout.seats], false).unbind(),
            is_over: PyArray::zeros(py, copies, false).unbind(),
            movers: PyArray::zeros(py, copies, false).unbind(),
            seeds: PyArray::zeros(py, copies, false).unbind(),
            layout,
        }
    }

    /// Begins all matches.
    fn begin(&mut self, py: Python<'_>, seeds: &[u64]) -> PyResult<()> {
        self.actions.clear();
        guarded(|| self.each(py, seeds, |mut work| work.batch.reset(work.seeds, &mut work.out)))??;
        self.has_begun = true;
        self.played.clear();
        Ok(())
    }

    /// Plays a turn of each match by the actions that were read.
    fn advance(&mut self, py: Python<'_>) -> PyResult<()> {
        let is_single = self.copies == 1;
        let was_over = is_single && self.is_over.bind(py).get_owned(0).unwrap_or_default();
        guarded(|| self.each(py, &[], |mut work| work.batch.step(work.actions, &mut work.out)))??;
        if was_over {
            self.played.clear();
        } else if is_single {
            self.played.extend(&self.actions);
        }
        Ok(())
    }

    /// Does something with each chunk, on all threads.
    fn each(
        &mut self,
        py: Python<'_>,
        seeds: &[u64],
        work: impl Fn(Work) -> Result<(), String> + Send + Sync,
    ) -> PyResult<()> {
        let layout = &self.layout;
        let parts = layout.parts();
        let cells = layout.cells();
        let mask = layout.mask();
        let numbers = layout.numbers.len();
        let seats = layout.seats;
        let mut arrays = (
            self.planes.bind(py).try_readwrite()?,
            self.numbers.bind(py).try_readwrite()?,
            self.masks.bind(py).try_readwrite()?,
            self.rewards.bind(py).try_readwrite()?,
            self.is_over.bind(py).try_readwrite()?,
            self.movers.bind(py).try_readwrite()?,
            self.seeds.bind(py).try_readwrite()?,
        );
        let mut all = BatchArrays {
            planes: arrays.0.as_slice_mut()?,
            numbers: arrays.1.as_slice_mut()?,
            masks: arrays.2.as_slice_mut()?,
            rewards: arrays.3.as_slice_mut()?,
            is_over: arrays.4.as_slice_mut()?,
            movers: arrays.5.as_slice_mut()?,
            seeds: arrays.6.as_slice_mut()?,
        };
        let mut left = self.copies;
        let mut works = Vec::with_capacity(self.chunks.len());
        for batch in &mut self.chunks {
            let begin = self.copies - left;
            let copies = left.min(CHUNK);
            left -= copies;
            let out = BatchArrays {
                planes: take(&mut all.planes, copies * cells)?,
                numbers: take(&mut all.numbers, copies * numbers)?,
                masks: take(&mut all.masks, copies * mask)?,
                rewards: take(&mut all.rewards, copies * seats)?,
                is_over: take(&mut all.is_over, copies)?,
                movers: take(&mut all.movers, copies)?,
                seeds: take(&mut all.seeds, copies)?,
            };
            works.push(Work {
                batch,
                actions: self.actions.get(begin * parts..(begin + copies) * parts).unwrap_or(&[]),
                seeds: seeds.get(begin..begin + copies).unwrap_or(&[]),
                out,
            });
        }
        // Python waits: these are milliseconds, and nothing else may touch the arrays meanwhile.
        let done = match &self.threads {
            Some(threads) => {
                threads.run(|| works.into_par_iter().with_max_len(1).try_for_each(&work))?
            }
            None => works.into_iter().try_for_each(work),
        };
        done.map_err(error)
    }

    /// Reads whole numbers from whatever NumPy makes an array of.
    fn read_actions(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let array = match actions.cast::<PyUntypedArray>() {
            Ok(array) => array.clone(),
            Err(_) => {
                let made = py.import("numpy")?.call_method1("asarray", (actions,));
                made.map_err(|why| error(format!("actions are whole numbers: {why}")))?
                    .cast_into::<PyUntypedArray>()?
            }
        };
        if !matches!(array.dtype().kind(), b'i' | b'u' | b'b') {
            return Err(error(format!("actions are whole numbers, not {}", array.dtype())));
        }
        let wanted = self.copies * self.layout.parts();
        if array.len() != wanted {
            let parts = self.layout.parts();
            return Err(error(format!(
                "{} numbers for {} matches, which take {parts} each",
                array.len(),
                self.copies
            )));
        }
        let flat = array.call_method1("astype", ("int64",))?.call_method0("ravel")?;
        let flat = flat.extract::<PyReadonlyArray1<'_, i64>>()?;
        // One that is too large for them is out of range as well.
        let narrowed = flat.as_slice()?.iter().map(|&number| i32::try_from(number).unwrap_or(-1));
        self.actions.clear();
        self.actions.extend(narrowed);
        Ok(())
    }
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (level, copies, *, seats=None, reward="result", threads=None))]
    fn new(
        py: Python<'_>,
        level: &Bound<'_, Level>,
        #[pyo3(from_py_with = arguments::copies)] copies: usize,
        #[pyo3(from_py_with = arguments::seats)] seats: Option<usize>,
        reward: &str,
        #[pyo3(from_py_with = arguments::threads)] threads: Option<usize>,
    ) -> PyResult<Self> {
        need_numpy(py)?;
        let rewards = match reward {
            "result" => RewardKind::Result,
            "progress" => RewardKind::Progress,
            "loss" => RewardKind::Loss,
            _ => {
                return Err(error(format!(
                    "there is no reward '{reward}'; choose from result, progress, loss"
                )));
            }
        };
        let kind = level.get().kind();
        let level = level.get().level();
        let seats = seats.unwrap_or(*kind.facts().seats.allowed.start());
        if copies == 0 {
            return Err(error("a batch has at least one copy"));
        }
        let threads = threads.unwrap_or_else(|| available_parallelism().map_or(1, usize::from));
        if !(1..=MOST_THREADS).contains(&threads) {
            return Err(error(format!("a batch has 1 to {MOST_THREADS} threads, not {threads}")));
        }
        let stop = StopFlag::default();
        // Finding out what perfect play costs may take long; the first chunk shares it with the others.
        let make = || kind.batch(level, seats, rewards, &stop);
        let first = interruptible(py, &stop, make)?.map_err(error)?;
        let layout = first.layout();
        let words = layout.numbers.len() + layout.parts();
        let bytes = layout.cells() + layout.mask() + 4 * words + 8 * layout.seats + 64;
        if copies.checked_mul(bytes).is_none_or(|bytes| bytes > MOST_BYTES) {
            return Err(error(format!("{copies} copies of {bytes} bytes each are too many")));
        }
        let names = seats::names(kind, layout.seats);
        Ok(Self::of(py, first, names, copies, threads))
    }

    /// Begins all matches. The first one has this seed, and each of the others the next one; or there is a list with the
    /// seed of each.
    fn reset(&mut self, py: Python<'_>, seed: &Bound<'_, PyAny>) -> PyResult<()> {
        let seeds: Vec<u64> = match seed.len() {
            Ok(count) if count != self.copies => {
                return Err(error(format!("{count} seeds for {} matches", self.copies)));
            }
            Ok(_) => {
                let seeds = seed.try_iter()?;
                seeds.map(|seed| arguments::seed(&seed?)).collect::<PyResult<_>>()?
            }
            Err(_) => {
                let first = arguments::seed(seed)?;
                let last = first.checked_add(self.copies as u64 - 1);
                let last = last.ok_or_else(|| {
                    let copies = self.copies;
                    error(format!(
                        "seed is too large for {copies} matches, which take the seeds from it on"
                    ))
                })?;
                (first..=last).collect()
            }
        };
        self.begin(py, &seeds)
    }

    /// Plays a turn of each match: a number for each part of an action of each.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        if !self.has_begun {
            return Err(error("no match has begun: call reset() first"));
        }
        match actions.extract::<i64>() {
            Ok(number) if self.copies * self.layout.parts() == 1 => {
                self.actions.clear();
                self.actions.push(i32::try_from(number).unwrap_or(-1));
            }
            _ => self.read_actions(py, actions)?,
        }
        self.advance(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        if self.copies > 1 {
            return Err(error(format!(
                "a batch of {} matches cannot be copied; search from states instead, with \
                 Level.start(seed) and State.step()",
                self.copies
            )));
        }
        let mut copied = Self::of(py, self.chunks[0].another(), self.seat_names.clone(), 1, 1);
        if self.has_begun {
            copied.begin(py, &[self.seeds.bind(py).get_owned(0).unwrap_or_default()])?;
            for actions in self.played.chunks(self.layout.parts()) {
                copied.actions = actions.into();
                copied.advance(py)?;
            }
        }
        Ok(copied)
    }

    /// The planes and numbers of one match as a seat sees them, which is not the one that chooses.
    fn observe<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arguments::copy)] copy: usize,
        seat: &str,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyArray1<i32>>)> {
        let seat = seats::position(&self.seat_names, seat)?;
        let layout = &self.layout;
        if copy >= self.copies {
            return Err(error(format!("there are only {} matches", self.copies)));
        }
        let mut planes = vec![0_u8; layout.cells()];
        let mut numbers = vec![0; layout.numbers.len()];
        let chunk = &self.chunks[copy / CHUNK];
        guarded(|| chunk.observe(copy % CHUNK, seat, &mut planes, &mut numbers))?;
        let shape = (layout.planes.len(), layout.rows, layout.columns);
        let planes = PyArray1::from_vec(py, planes).call_method1("reshape", (shape,))?;
        Ok((planes, PyArray1::from_vec(py, numbers)))
    }

    /// The number of matches.
    fn __len__(&self) -> usize {
        self.copies
    }

    /// The names of the seats.
    #[getter]
    fn seats(&self) -> Vec<String> {
        self.seat_names.clone()
    }

    /// What the planes show, bottom to top.
    #[getter]
    fn plane_names(&self) -> Vec<&'static str> {
        self.layout.planes.iter().map(|plane| plane.name).collect()
    }

    /// What the numbers count, each with the least and the most that it can be.
    #[getter]
    fn number_ranges(&self) -> Vec<(&'static str, i32, i32)> {
        let numbers = self.layout.numbers.iter();
        numbers.map(|number| (number.name, number.least, number.most)).collect()
    }

    /// How many choices each part of an action has, for each seat that chooses in a turn.
    #[getter]
    fn choices(&self) -> Vec<Vec<usize>> {
        self.layout.choices.clone()
    }

    /// The observations, 1 where something is: copies × planes × rows × columns.
    #[getter]
    fn planes(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        view(&self.planes, py)
    }

    /// What is seen beside the planes: copies × numbers.
    #[getter]
    fn numbers(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        view(&self.numbers, py)
    }

    /// 1 for each legal choice, in the type that Gymnasium's spaces want: copies × choices.
    #[getter]
    fn masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.masks.bind(py).call_method1("view", ("int8",))
    }

    /// The rewards of the last step: copies × seats.
    #[getter]
    fn rewards(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        view(&self.rewards, py)
    }

    /// Whether each match is over.
    #[getter]
    fn is_over(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        view(&self.is_over, py)
    }

    /// The seat that chooses in each match, counted from 0; the first of several that choose at the same time.
    #[getter]
    fn movers(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        view(&self.movers, py)
    }

    /// The seeds of the present matches.
    #[getter]
    fn seeds(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        view(&self.seeds, py)
    }

    fn __repr__(&self) -> String {
        format!("<Batch of {} matches>", self.copies)
    }
}
