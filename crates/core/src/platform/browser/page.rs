//! What only the page can do: name itself, ask for files, and take all stored files out and back in.

use super::files::{CHOSEN, files};
use std::path::{Path, PathBuf};

#[allow(unsafe_code, reason = "the page is another language")]
#[link(wasm_import_module = "./platform.js")]
unsafe extern "C" {
    safe fn choose_files();
    safe fn save_all_files();
    safe fn restore_all_files();
    /// Bytes of the name of the file that was chosen or dropped first; 0 if there is none.
    safe fn chosen_name_size() -> u32;
    /// Bytes of that file.
    safe fn chosen_size() -> u32;
    /// Writes its name and content to these addresses and forgets it.
    fn chosen_copy(name: *mut u8, bytes: *mut u8);
    fn note_panic(text: *const u8, size: u32);
    fn print_text(text: *const u8, size: u32);
    /// Tells that the sub-command has ended.
    safe fn command_ended(succeeded: bool);
    fn show_title(text: *const u8, size: u32);
    safe fn show_depth(depth: u32);
    fn open_address(text: *const u8, size: u32);
    /// Bytes of the page's address.
    safe fn address_size() -> u32;
    /// Writes the page's address to this one.
    fn address_copy(text: *mut u8);
    /// How many fonts for letters that the program's own lack are there; 0 until all are.
    safe fn font_count() -> u32;
    /// Bytes of such a font.
    safe fn font_size(index: u32) -> u32;
    /// Writes it to this address.
    fn font_copy(index: u32, bytes: *mut u8);
    /// Whether the first pointer of the device is a finger: 1 or 0.
    safe fn is_touched() -> u32;
    /// Whether a screen reader is to be told what the window shows: 1 or 0.
    safe fn is_read() -> u32;
    fn show_elements(text: *const u8, size: u32);
    /// Takes what the screen reader asked for first, and says what it is: 0 if there is nothing, 1 for a click, 2 for
    /// the focus, 3 for a number.
    safe fn next_request() -> u32;
    /// The element for which that was asked.
    safe fn request_element() -> u64;
    /// The number that was asked for.
    safe fn request_number() -> f64;
}

/// What a screen reader asks of an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Request {
    /// To do what a click does.
    Click,
    /// To have the keyboard.
    Focus,
    /// To have this value.
    Number(f64),
}

/// Lets the person choose files; they arrive as if they were dropped on the page.
pub fn choose() {
    choose_files();
}

/// Saves everything that Outwit has stored here as one file.
pub fn save_all() {
    save_all_files();
}

/// Lets the person choose a file of [`save_all`], puts back what is in it, and loads the page again.
pub fn restore_all() {
    restore_all_files();
}

/// Where the next file is now that was chosen or dropped, if there is one. It lasts until the page is closed.
#[allow(unsafe_code, reason = "the page writes as many bytes as it said")]
pub fn take_chosen() -> Option<PathBuf> {
    let mut name = vec![0; chosen_name_size() as usize];
    if name.is_empty() {
        return None;
    }
    let mut bytes = vec![0; chosen_size() as usize];
    unsafe { chosen_copy(name.as_mut_ptr(), bytes.as_mut_ptr()) };
    let name = String::from_utf8_lossy(&name).replace(['/', '\\'], "-");
    let path = Path::new(CHOSEN).join(name);
    files().put(&path, bytes);
    Some(path)
}

/// The address of the page, without what stands behind its `#`.
#[allow(unsafe_code, reason = "the page writes as many bytes as it said")]
pub fn address() -> String {
    let mut text = vec![0; address_size() as usize];
    unsafe { address_copy(text.as_mut_ptr()) };
    String::from_utf8_lossy(&text).into_owned()
}

/// The fonts for letters that the program's own lack, once the page has fetched all of them.
#[allow(unsafe_code, reason = "the page writes as many bytes as it said")]
pub fn fonts() -> Vec<Vec<u8>> {
    let read = |index| {
        let mut bytes = vec![0; font_size(index) as usize];
        unsafe { font_copy(index, bytes.as_mut_ptr()) };
        bytes
    };
    (0..font_count()).map(read).collect()
}

/// Whether the device is used by fingers rather than by a mouse.
pub fn has_finger() -> bool {
    is_touched() != 0
}

/// Whether a screen reader is to be told what the window shows, which is asked for on the page.
pub fn has_reader() -> bool {
    is_read() != 0
}

/// Shows a screen reader these elements, which are JSON for `show` of `web/reader.js`.
#[allow(unsafe_code, reason = "the page only reads, and before this returns")]
pub fn tell_reader(elements: &str) {
    unsafe { show_elements(elements.as_ptr(), elements.len() as u32) };
}

/// What the screen reader asks for next, and of which element.
pub fn take_request() -> Option<(u64, Request)> {
    let request = match next_request() {
        1 => Request::Click,
        2 => Request::Focus,
        3 => Request::Number(request_number()),
        _ => return None,
    };
    Some((request_element(), request))
}

/// Says in the page's title what is shown.
#[allow(unsafe_code, reason = "the page only reads, and before this returns")]
pub fn title(text: &str) {
    unsafe { show_title(text.as_ptr(), text.len() as u32) };
}

/// Says how many screens lie behind the one that is shown, so that the browser can go back to them.
pub fn depth(screens: usize) {
    show_depth(screens as u32);
}

/// Opens an address in another tab.
#[allow(unsafe_code, reason = "the page only reads, and before this returns")]
pub fn open(address: &str) {
    unsafe { open_address(address.as_ptr(), address.len() as u32) };
}

/// Lets the page say why the program panics.
pub fn report_panics() {
    std::panic::set_hook(Box::new(|info| note(&info.to_string())));
}

#[allow(unsafe_code, reason = "the page only reads, and before this returns")]
fn note(text: &str) {
    unsafe { note_panic(text.as_ptr(), text.len() as u32) };
}

/// Prints what a sub-command says.
#[allow(unsafe_code, reason = "the page only reads, and before this returns")]
pub fn print(text: &str) {
    unsafe { print_text(text.as_ptr(), text.len() as u32) };
}

/// Tells the page that the sub-command has ended.
pub fn end_command(succeeded: bool) {
    command_ended(succeeded);
}
