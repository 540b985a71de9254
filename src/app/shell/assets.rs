//! Fonts, pieces and sounds are part of the program. For people who work on them, a file in the folder that
//! `OUTWIT_ASSETS` names takes the place of the embedded one with the same path.

use bevy::asset::io::{
    AssetReader, AssetReaderError, AssetSourceBuilder, AssetSourceId, PathStream, Reader, VecReader,
};
use bevy::asset::{AssetMetaCheck, UnapprovedPathMode};
use bevy::prelude::*;
use outwit_core::platform::store;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

// `EMBEDDED`: path below `assets` and bytes of each file, in the order of their paths.
include!(concat!(env!("OUT_DIR"), "/embedded_assets.rs"));

/// The folder whose files take the place of embedded ones, if there is one.
#[derive(Resource, Clone, Debug, Default)]
pub struct AssetFolder(pub Option<PathBuf>);

impl AssetFolder {
    /// The folder that `OUTWIT_ASSETS` names.
    pub fn from_environment() -> Self {
        Self(std::env::var_os("OUTWIT_ASSETS").filter(|name| !name.is_empty()).map(PathBuf::from))
    }

    /// What is wrong with it, for the user.
    pub fn problem(&self) -> Option<String> {
        let folder = self.0.as_ref().filter(|folder| !store::is_folder(folder))?;
        Some(format!("OUTWIT_ASSETS: there is no folder {}.", folder.display()))
    }

    /// The bytes of an asset, by its path with `/` between folder and name.
    ///
    /// # Errors
    /// If there is no such asset, or a file in the folder cannot be read.
    pub fn read(&self, path: &str) -> Result<Cow<'static, [u8]>, AssetReaderError> {
        let file = self.0.as_ref().map(|folder| folder.join(path));
        if let Some(file) = file.filter(|file| store::exists(file)) {
            let bytes = store::read_file(&file).map_err(std::io::Error::other);
            return bytes.map(Cow::Owned).map_err(|why| AssetReaderError::Io(Arc::new(why)));
        }
        let found = EMBEDDED.binary_search_by_key(&path, |(path, _)| path);
        let (_, bytes) = found
            .ok()
            .and_then(|index| EMBEDDED.get(index))
            .ok_or_else(|| AssetReaderError::NotFound(path.into()))?;
        Ok(Cow::Borrowed(bytes))
    }
}

impl AssetReader for AssetFolder {
    async fn read<'a>(&'a self, path: &'a Path) -> Result<impl Reader + 'a, AssetReaderError> {
        let name = path.to_str().ok_or_else(|| AssetReaderError::NotFound(path.into()))?;
        Ok(VecReader::new(AssetFolder::read(self, name)?.into_owned()))
    }

    async fn read_meta<'a>(&'a self, path: &'a Path) -> Result<impl Reader + 'a, AssetReaderError> {
        Err::<VecReader, _>(AssetReaderError::NotFound(path.into()))
    }

    async fn read_directory<'a>(
        &'a self,
        path: &'a Path,
    ) -> Result<Box<PathStream>, AssetReaderError> {
        Err(AssetReaderError::NotFound(path.into()))
    }

    async fn is_directory<'a>(&'a self, _path: &'a Path) -> Result<bool, AssetReaderError> {
        Ok(false)
    }
}

/// Bevy's plugin of assets, told to read ours.
pub fn plugin(app: &mut App, folder: AssetFolder) -> AssetPlugin {
    app.insert_resource(folder.clone());
    app.register_asset_source(
        AssetSourceId::Default,
        AssetSourceBuilder::new(move || Box::new(folder.clone()) as _),
    );
    AssetPlugin {
        meta_check: AssetMetaCheck::Never,
        unapproved_path_mode: UnapprovedPathMode::Forbid,
        ..default()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_the_folder_takes_the_place_of_the_embedded_one() {
        let own = tempfile::tempdir().unwrap();
        let folder = AssetFolder(Some(own.path().into()));
        let embedded = AssetFolder::default();
        std::fs::create_dir(own.path().join("pieces")).unwrap();
        std::fs::write(own.path().join("pieces/box.svg"), "mine").unwrap();
        assert_eq!(folder.read("pieces/box.svg").unwrap(), &b"mine"[..]);
        assert_ne!(embedded.read("pieces/box.svg").unwrap(), &b"mine"[..]);
        let car = embedded.read("pieces/car.svg").unwrap();
        assert!(!car.is_empty());
        assert_eq!(folder.read("pieces/car.svg").unwrap(), car);
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let own = tempfile::tempdir().unwrap();
        let folder = AssetFolder(Some(own.path().into()));
        assert_eq!(folder.problem(), None);
        let missing = AssetReaderError::NotFound("pieces/none.svg".into());
        assert_eq!(folder.read("pieces/none.svg").unwrap_err(), missing);
        // A folder where a file should be is not passed over in silence.
        std::fs::create_dir_all(own.path().join("pieces/box.svg")).unwrap();
        assert!(matches!(folder.read("pieces/box.svg"), Err(AssetReaderError::Io(_))));
        let nowhere = AssetFolder(Some(own.path().join("nowhere")));
        assert!(nowhere.problem().unwrap().contains("nowhere"));
        assert!(nowhere.read("pieces/box.svg").is_ok());
    }
}
