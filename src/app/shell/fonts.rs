//! The fonts of every panel: Inter, with Phosphor for icons.

use crate::app::shell::assets::AssetFolder;
use bevy::asset::io::Reader;
use bevy::asset::{AssetLoader, LoadContext};
use bevy::prelude::*;
use bevy_asset_loader::asset_collection::AssetCollection;
use bevy_egui::egui;
use egui::{FontData, FontDefinitions, FontFamily};
use std::panic::catch_unwind;
use std::sync::{Arc, OnceLock};

/// The family of headings.
pub const SEMI_BOLD: &str = "semi-bold";

const REGULAR_FILE: &str = "fonts/Inter-Regular.otf";
const SEMI_BOLD_FILE: &str = "fonts/Inter-SemiBold.otf";

/// The files to load.
pub const FILES: [&str; 2] = [REGULAR_FILE, SEMI_BOLD_FILE];

/// A font file that was checked.
#[derive(Asset, TypePath, Clone)]
pub struct FontFile(Arc<FontData>);

/// The fonts, loaded.
#[derive(Resource, Clone)]
pub struct Fonts {
    regular: Option<FontFile>,
    semi_bold: Option<FontFile>,
}

impl Fonts {
    /// Reads the fonts without the asset server.
    ///
    /// # Errors
    /// Which file cannot be read, and why.
    pub fn read(assets: &AssetFolder) -> Result<Self, String> {
        let read = |path| {
            let bytes = assets.read(path).map_err(|why| format!("{path}: {why}"))?;
            check(bytes.into_owned()).map(Some).map_err(|why| format!("{path}: {why}"))
        };
        Ok(Self { regular: read(REGULAR_FILE)?, semi_bold: read(SEMI_BOLD_FILE)? })
    }
}

impl AssetCollection for Fonts {
    fn create(world: &mut World) -> Self {
        let server = world.resource::<AssetServer>();
        let loaded = world.resource::<Assets<FontFile>>();
        let font = |path| loaded.get(&server.get_handle::<FontFile>(path)?).cloned();
        Self { regular: font(REGULAR_FILE), semi_bold: font(SEMI_BOLD_FILE) }
    }

    fn load(world: &mut World) -> Vec<UntypedHandle> {
        let server = world.resource::<AssetServer>();
        FILES.map(|path| server.load::<FontFile>(path).untyped()).into()
    }
}

/// Fonts for letters that ours lack, where egui's are not part of the program but come later.
static LATE: OnceLock<Vec<Arc<FontData>>> = OnceLock::new();

/// Takes the fonts that egui has elsewhere: Hack, Ubuntu Light, Noto Emoji and the font of emoji icons.
#[cfg(target_arch = "wasm32")]
pub fn take_late(files: Vec<Vec<u8>>) {
    // Those of emoji are as much smaller as egui draws them.
    let sizes = [1.0, 1.0, 0.81, 0.9];
    let fonts = files.into_iter().zip(sizes).filter(|(bytes, _)| has_tables(bytes));
    let fonts = fonts.map(|(bytes, scale)| {
        let tweak = egui::FontTweak { scale, ..Default::default() };
        Arc::new(FontData::from_owned(bytes).tweak(tweak))
    });
    LATE.get_or_init(|| fonts.collect());
}

/// Whether the fonts are there that come later.
pub fn has_late() -> bool {
    LATE.get().is_some()
}

/// The fonts for egui; its own until ours are loaded.
pub fn definitions(fonts: Option<&Fonts>) -> FontDefinitions {
    let mut all = FontDefinitions::default();
    for (number, font) in LATE.get().into_iter().flatten().enumerate() {
        let name = format!("late {number}");
        all.font_data.insert(name.clone(), Arc::clone(font));
        for (family, order) in &mut all.families {
            // The first is for text whose letters are equally wide.
            if number > 0 || *family == FontFamily::Monospace {
                order.push(name.clone());
            }
        }
    }
    egui_phosphor::add_to_fonts(&mut all, egui_phosphor::Variant::Regular);
    let default = all.families.get(&FontFamily::Proportional).cloned().unwrap_or_default();
    // Until others are there, one has digits at least.
    if fonts.is_some_and(|fonts| fonts.regular.is_some()) {
        all.families.entry(FontFamily::Monospace).or_default().push("regular".into());
    }
    let mut add = |family: FontFamily, name: &str, file: Option<&FontFile>| {
        let mut order = default.clone();
        if let Some(file) = file {
            all.font_data.insert(name.into(), Arc::clone(&file.0));
            order.insert(0, name.into());
        }
        all.families.insert(family, order);
    };
    add(FontFamily::Proportional, "regular", fonts.and_then(|f| f.regular.as_ref()));
    add(
        FontFamily::Name(SEMI_BOLD.into()),
        "semi-bold file",
        fonts.and_then(|f| f.semi_bold.as_ref()),
    );
    all
}

/// Why a font could not be loaded.
#[derive(Debug, thiserror::Error)]
enum FontError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// It is not a font.
    #[error("not a TrueType or OpenType font, or a broken one")]
    Broken,
}

/// Loads and checks fonts.
#[derive(Default, TypePath)]
struct FontLoader;

impl AssetLoader for FontLoader {
    type Asset = FontFile;
    type Settings = ();
    type Error = FontError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _settings: &(),
        _context: &mut LoadContext<'_>,
    ) -> Result<FontFile, FontError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        check(bytes)
    }

    fn extensions(&self) -> &[&str] {
        &["otf", "ttf"]
    }
}

/// Checks that egui can draw with a font. egui panics on a broken one; here that can be caught.
fn check(bytes: Vec<u8>) -> Result<FontFile, FontError> {
    if !has_tables(&bytes) {
        return Err(FontError::Broken);
    }
    let font = Arc::new(FontData::from_owned(bytes));
    let tried = Arc::clone(&font);
    catch_unwind(move || {
        let mut only = FontDefinitions::empty();
        only.font_data.insert("checked".into(), tried);
        only.families.insert(FontFamily::Proportional, vec!["checked".into()]);
        only.families.insert(FontFamily::Monospace, vec!["checked".into()]);
        let mut fonts = egui::epaint::text::Fonts::new(Default::default(), only);
        fonts.with_pixels_per_point(1.0).layout_no_wrap(
            "Outwit 0123".into(),
            egui::FontId::proportional(14.0),
            egui::Color32::WHITE,
        );
    })
    .map_err(|_| FontError::Broken)?;
    Ok(FontFile(font))
}

/// Whether the font directory lists the tables that every font has, all within the file.
fn has_tables(bytes: &[u8]) -> bool {
    const NEEDED: [&[u8]; 4] = [b"cmap", b"head", b"hhea", b"hmtx"];
    let known = [&b"\0\x01\0\0"[..], b"OTTO", b"true"].iter().any(|magic| bytes.starts_with(magic));
    let Some(&[high, low]) = bytes.get(4..6) else { return false };
    let count = usize::from(u16::from_be_bytes([high, low]));
    let Some(directory) = bytes.get(12..12 + 16 * count) else { return false };
    let number = |record: &[u8], at: usize| {
        record[at..at + 4].iter().fold(0usize, |sum, &byte| (sum << 8) | usize::from(byte))
    };
    let whole = directory
        .chunks_exact(16)
        .all(|record| number(record, 8) + number(record, 12) <= bytes.len());
    known
        && whole
        && NEEDED.iter().all(|name| directory.chunks_exact(16).any(|r| r.starts_with(name)))
}

/// Adds the font loader.
pub fn plugin(app: &mut App) {
    app.init_asset::<FontFile>().init_asset_loader::<FontLoader>();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_refused() {
        assert!(check(Vec::new()).is_err());
        assert!(check(b"wOF2 and more".to_vec()).is_err());
        assert!(check(b"OTTO and nothing of a font".to_vec()).is_err());
    }

    #[test]
    fn a_font_is_loaded() {
        let regular = egui_phosphor::Variant::Regular.font_bytes();
        assert!(check(regular.to_vec()).is_ok());
    }
}
