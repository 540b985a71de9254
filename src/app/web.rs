//! The window on a page.

use super::requests::Launch;
use super::start::run;
use outwit_headless::link;

/// Opens the window on the page's canvas and returns; the page keeps it going. `address` is what stands behind
/// the `#` of the page's address.
pub fn run_in_page(address: &str) {
    let launch =
        link::open(address).and_then(|wanted| Launch::of(wanted).map_err(|why| why.to_string()));
    run(launch.unwrap_or_else(|why| Launch {
        problem: Some(format!("The link cannot be opened: {why}. The rest of the game is here.")),
        ..Launch::default()
    }));
}
