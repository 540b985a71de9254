//! [`Editing`] for every game.

use super::Erased;
use crate::editing::{Editing, LevelDraft, Verdict, level_of};
use crate::formats::{self, ExportError};
use crate::perfect_play::solve;
use crate::reading::read_any;
use crate::solving::{Solution, SolveOptions};
use crate::spec::{Converted, GameSpec};
use crate::tiles::background;
use outwit_core::levels::{Fault, LevelFile, MAX_SIDE, Property, RuleSet, write_ron};
use outwit_core::play::{CheckedLevel, SetupError, StopFlag};

fn values<R: RuleSet>(rules: &R) -> Vec<String> {
    R::properties().iter().map(|property| rules.value(property.key).unwrap_or_default()).collect()
}

fn draft_of<G: GameSpec>(level: LevelFile<G::Rules>) -> LevelDraft {
    let level = (G::MAPS.unfold)(level);
    let mut cells = level.cells('\0');
    let width = cells.width();
    let height = cells.height();
    for cell in cells.cells() {
        if cells[cell] == '\0' {
            cells[cell] = background(G::MAPS.palette, cell, width, height);
        }
    }
    LevelDraft {
        rules: values(&level.rules),
        name: level.name,
        author: level.author,
        about: level.about,
        cells,
    }
}

impl<G: GameSpec> Editing for Erased<G> {
    fn default_rules(&self) -> Vec<String> {
        values(&G::Rules::default())
    }

    fn rule(&self, key: &str, value: &str) -> Result<String, String> {
        if G::MAPS.derived_rules.contains(&key) {
            return Err(format!("rules.{key} follows from the map"));
        }
        let mut rules = G::Rules::default();
        rules.set(key, value)?;
        Ok(rules.value(key).unwrap_or_default())
    }

    fn generator_options(&self) -> Vec<(&'static Property, String)> {
        G::MAPS.generator.map_or_else(Vec::new, |generator| (generator.options)())
    }

    fn generate(
        &self,
        generator_options: &[(String, String)],
        seed: u64,
    ) -> Result<LevelDraft, String> {
        let generator = G::MAPS
            .generator
            .ok_or_else(|| format!("there are no random levels of {}", G::INFO.name))?;
        let level = (generator.generate)(generator_options, seed)?;
        match CheckedLevel::<G>::new(level) {
            Ok(level) => Ok(draft_of::<G>(level.into_inner())),
            Err(faults) => Err(format!("these options conflict: {}", SetupError::from(faults))),
        }
    }

    fn text(&self, draft: &LevelDraft) -> String {
        write_ron(&level_of::<G>(draft))
    }

    fn export_draft(&self, draft: &LevelDraft, ending: &str) -> Result<Converted, ExportError> {
        if ending == "ron" {
            return Ok(Converted { bytes: self.text(draft).into_bytes(), lost: Vec::new() });
        }
        formats::write::<G>(&level_of::<G>(draft), ending)
    }

    fn open(&self, bytes: &[u8], name: &str) -> Result<LevelDraft, Vec<Fault>> {
        let level = read_any::<G>(bytes, name)?;
        if level.format != G::INFO.format {
            return Err(vec![Fault::whole(format!(
                "the format is '{}'; this program reads '{}'",
                level.format,
                G::INFO.format
            ))]);
        }
        let width = level.map.iter().map(|row| row.chars().count()).max().unwrap_or(0);
        if width == 0 {
            return Err(vec![Fault::whole("the map is empty")]);
        }
        if width > MAX_SIDE || level.map.len() > MAX_SIDE {
            return Err(vec![Fault::whole(format!(
                "the map is {width} by {} cells; the maximum is {MAX_SIDE} by {MAX_SIDE}",
                level.map.len()
            ))]);
        }
        // A rule that the map answers cannot be mended in the editor.
        let faults: Vec<Fault> = G::Rules::properties()
            .iter()
            .filter(|rule| G::MAPS.derived_rules.contains(&rule.key))
            .filter_map(|rule| level.rules.range_fault(rule))
            .collect();
        if faults.is_empty() { Ok(draft_of::<G>(level)) } else { Err(faults) }
    }

    fn check_draft(&self, draft: &LevelDraft) -> Verdict {
        let level = level_of::<G>(draft);
        let checked = CheckedLevel::new(level.clone());
        let (warnings, remarks) = match level.rules.faults().is_empty() {
            true => ((G::MAPS.warnings)(&level, checked.as_ref().ok()), (G::MAPS.remarks)(&level)),
            false => (Vec::new(), Vec::new()),
        };
        Verdict { faults: checked.err().unwrap_or_default(), warnings, remarks }
    }

    fn solve_draft(&self, draft: &LevelDraft, stop: &StopFlag) -> Result<Solution, String> {
        let level = CheckedLevel::new(level_of::<G>(draft)).map_err(SetupError::from)?;
        solve::<G>(&level, &SolveOptions::default(), stop)
    }
}
