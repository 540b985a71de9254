//! Every game's tiles, generator and level file agree with each other.

use outwit_core::grid::Grid;
use outwit_core::levels::Fault;
use outwit_core::levels::PropertyKind;
use outwit_core::play::StopFlag;
use outwit_headless::GAMES;
use outwit_kit::SolveOptions;
use outwit_kit::{DynGame, Footprint, GameSpec, blank, clear_misplaced};
use outwit_stealth::Stealth;
use proptest::prelude::*;

#[test]
fn palettes_are_in_order() {
    for &kind in GAMES {
        let palette = kind.facts().palette;
        for (at, tile) in palette.iter().enumerate() {
            let symbols = || palette.iter().map(|other| other.symbol);
            assert_eq!(symbols().position(|symbol| symbol == tile.symbol), Some(at));
            assert!(symbols().any(|symbol| symbol == tile.turned), "{}", tile.name);
            if let Some(Footprint::Row(rule) | Footprint::Column(rule) | Footprint::Border(rule)) =
                tile.piece
            {
                assert!(kind.properties().iter().any(|property| property.key == rule), "{rule}");
            }
        }
        let (width, height) = kind.facts().new_size;
        let mut cells = blank(palette, width, height);
        let settled = cells.clone();
        clear_misplaced(palette, &mut cells);
        assert_eq!(cells, settled);
    }
}

#[test]
fn built_in_levels_come_back_as_they_are() {
    for &kind in GAMES {
        for entry in outwit_levels::list_with(None, kind.id()) {
            let draft = kind.open(&entry.bytes().unwrap(), entry.stem()).unwrap();
            assert_eq!(kind.check_draft(&draft).faults, [], "{}", entry.id);
            let text = kind.text(&draft);
            assert_eq!(kind.open(text.as_bytes(), "").unwrap(), draft, "{}", entry.id);
        }
    }
}

fn with_generator() -> impl Iterator<Item = &'static dyn DynGame> {
    GAMES.iter().copied().filter(|kind| kind.facts().has_generator)
}

#[test]
fn generated_levels_are_called_random_or_say_what_they_hold() {
    for kind in with_generator() {
        let level = kind.generate(&[], 1).unwrap();
        let text = format!("{} {}", level.name, level.about).to_lowercase();
        assert!(!text.contains("by lot") && !level.about.is_empty(), "{}: {text}", kind.id());
    }
}

#[test]
fn a_renamed_level_has_the_same_digest() {
    for &kind in GAMES {
        for entry in outwit_levels::list_with(None, kind.id()) {
            let bytes = entry.bytes().unwrap();
            let other = kind.renamed(&bytes, entry.stem(), "Another \"name\"\n").unwrap();
            let [before, after] = [bytes.as_slice(), other.as_bytes()]
                .map(|bytes| kind.describe(bytes, entry.stem()).unwrap());
            assert_eq!(after.name, "Another \"name\"\n");
            assert_eq!((after.author, after.about), (before.author, before.about));
            // A board given only by its size gets a map.
            if before.rules == after.rules {
                assert_eq!(before.digest, after.digest, "{}", entry.id);
            }
            assert_eq!(before.looks, after.looks);
        }
        assert!(kind.renamed(b"(broken", "x.ron", "y").is_err());
    }
    for kind in with_generator() {
        let digest = |seed| {
            let text = kind.text(&kind.generate(&[], seed).unwrap());
            kind.describe(text.as_bytes(), "x").unwrap().digest
        };
        assert_ne!(digest(1), digest(2));
    }
}

/// Values that a rule of this kind must refuse.
fn beyond(kind: PropertyKind) -> Vec<String> {
    let whole = |numbers: &[i64]| numbers.iter().map(i64::to_string).collect();
    match kind {
        PropertyKind::Whole { min, max, .. } => {
            let mut numbers = vec![max + 1, 30_000, 1_000_000_000, 4_000_000_000, 4_294_967_295];
            numbers.extend((min > 0).then(|| min - 1));
            numbers.retain(|number| !(min..=max).contains(number));
            whole(&numbers)
        }
        PropertyKind::Real { min, max } => {
            vec![(min - 0.1).to_string(), (max + 0.1).to_string(), "1e308".into(), "NaN".into()]
        }
        PropertyKind::Choice(_) | PropertyKind::Flag => Vec::new(),
    }
}

/// A rule is used only where it is in its range: 4 294 967 295 cells would be more than any memory.
#[test]
fn rules_out_of_range_are_named_and_never_used() {
    for &kind in GAMES {
        let entry = outwit_levels::built_in(&kind.first_level()).unwrap();
        let good = kind.open(&entry.bytes().unwrap(), entry.stem()).unwrap();
        for (index, property) in kind.properties().iter().enumerate() {
            for value in beyond(property.kind) {
                let mut draft = good.clone();
                draft.rules[index].clone_from(&value);
                let text = kind.text(&draft);
                assert!(text.contains(property.key), "{text}");
                let picture = kind.export_draft(&draft, "png").unwrap().bytes;
                let is_named = |faults: &[Fault]| {
                    let rule = format!("rules.{}: ", property.key);
                    assert!(faults.iter().any(|f| f.what.contains(&rule)), "{value}: {faults:?}");
                };
                for bytes in [text.as_bytes(), &picture] {
                    is_named(&kind.check(bytes, ""));
                    is_named(&kind.describe(bytes, "").unwrap_err());
                    is_named(&kind.convert(bytes, "", &[], "txt").err().unwrap());
                    is_named(&kind.solve(bytes, "", &SolveOptions::default()).unwrap_err());
                    match kind.open(bytes, "") {
                        Ok(opened) => assert_eq!(opened.rules[index], draft.rules[index]),
                        Err(faults) => is_named(&faults),
                    }
                }
                is_named(&kind.check_draft(&draft).faults);
                assert!(kind.solve_draft(&draft, &StopFlag::default()).is_err());
            }
        }
    }
}

#[test]
fn default_options_make_solvable_levels() {
    for kind in with_generator() {
        for seed in 0..10 {
            let draft = kind.generate(&[], seed).unwrap();
            assert_eq!(kind.generate(&[], seed).unwrap(), draft);
            assert_eq!(kind.check_draft(&draft).faults, [], "{} {seed}", kind.id());
        }
    }
}

#[test]
fn invalid_options_are_refused() {
    for &kind in GAMES {
        assert!(kind.generate(&[("nonsense".into(), "1".into())], 1).is_err());
        assert!(kind.generate(&[("width".into(), "1000000".into())], 1).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// With any options, the generator makes a level without faults or says why not. A track can be
    /// finished and is about as long as requested.
    #[test]
    fn options_are_met_or_refused(
        seed in 0u64..1000,
        width in 12u32..90,
        height in 12u32..70,
        length in 10u32..600,
        road in 3u32..9,
        density in 0.0f64..0.5,
    ) {
        let kind = outwit_headless::find("racetrack").unwrap();
        let option = |key: &str, value: String| (key.to_owned(), value);
        let sizes = [option("width", width.to_string()), option("height", height.to_string())];
        let mut options = sizes.to_vec();
        options.extend([option("length", length.to_string()), option("road", road.to_string())]);
        if let Ok(draft) = kind.generate(&options, seed) {
            let solution = kind.solve_draft(&draft, &StopFlag::default()).unwrap();
            prop_assert!(solution.value.is_some());
            let area = draft.cells.as_slice().iter().filter(|&&symbol| symbol != '#').count() as f64;
            let asked = f64::from(length * road);
            prop_assert!(area > asked * 0.5, "{area} of {asked}");
        }
        let kind = outwit_headless::find("cops").unwrap();
        let options = [
            option("width", (width % 60 + 3).to_string()),
            option("height", (height % 60 + 3).to_string()),
            option("density", density.to_string()),
        ];
        if let Ok(draft) = kind.generate(&options, seed) {
            prop_assert_eq!(kind.check_draft(&draft).faults, []);
        }
    }
}

#[test]
fn patrols_turn_with_their_map() {
    use outwit_headless::editor::{Block, BlockTransform};
    let block = Block(Grid::from_fn(4, 2, |cell| {
        ['^', '>', 'v', '<', 'N', 'E', 'S', 'W'][(cell.y * 4 + cell.x) as usize]
    }));
    let turned = |turn| block.turned(turn, Stealth::MAPS.palette).text();
    assert_eq!(turned(BlockTransform::Clockwise), "E>\nSv\nW<\nN^\n");
    assert_eq!(turned(BlockTransform::LeftRight), ">v<^\nESWN\n");
    assert_eq!(turned(BlockTransform::TopBottom), "SENW\nv>^<\n");
}
