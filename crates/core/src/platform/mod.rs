//! The only place that knows threads, clocks, storage and other programs. Everything else asks here. In a
//! browser there are none of them: `browser` gives fibers in place of threads, and files in its storage.

pub mod claims;
#[cfg(target_arch = "wasm32")]
#[path = "browser/fiber.rs"]
pub mod fiber;
pub mod file_name;
#[cfg(target_arch = "wasm32")]
#[path = "browser/files.rs"]
pub mod files;
pub mod folders;
pub mod interrupt;
#[cfg_attr(target_arch = "wasm32", path = "browser/news.rs")]
pub mod news;
#[cfg(target_arch = "wasm32")]
#[path = "browser/page.rs"]
pub mod page;
#[cfg_attr(target_arch = "wasm32", path = "browser/parallel.rs")]
pub mod parallel;
#[cfg_attr(target_arch = "wasm32", path = "browser/paths.rs")]
pub mod paths;
pub mod program;
#[cfg_attr(target_arch = "wasm32", path = "browser/store.rs")]
pub mod store;
pub mod task;
#[cfg_attr(target_arch = "wasm32", allow(dead_code, reason = "no file is on a disk there"))]
mod temporary;
pub mod time;
pub mod video;
