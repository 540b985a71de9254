//! The only place that knows threads, clocks, storage and other programs. Everything else asks here, so
//! that the program can one day run where there are none of them.

pub mod file_name;
pub mod interrupt;
pub mod parallel;
pub mod paths;
pub mod program;
pub mod store;
pub mod task;
mod temporary;
pub mod time;
