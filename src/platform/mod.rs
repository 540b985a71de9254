//! The only place that knows threads, clocks and storage. Everything else asks here, so that the
//! program can one day run where there are none of them.

pub mod store;
pub mod task;
pub mod time;
