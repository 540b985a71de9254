//! What README.md and the manual say of games agrees with the program, and their links and pictures lead somewhere.

use outwit_headless::GAMES;
use outwit_kit::TileKind;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The pictures of one page are loaded together, and all of them are in every copy of the sources.
const LARGEST_PICTURE: u64 = 150_000;
const ALL_PICTURES: u64 = 2_000_000;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn chapters() -> PathBuf {
    root().join("docs/manual/src")
}

/// All files in a folder and the folders in it.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_in(&path) } else { vec![path] }).collect()
}

fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "md")
}

/// The pages of the manual, and those beside the sources.
fn pages() -> Vec<PathBuf> {
    let others = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "THIRD-PARTY.md"];
    let others = others.map(|name| root().join(name));
    files_in(&chapters()).into_iter().filter(|path| is_page(path)).chain(others).collect()
}

fn page_of(game: &str) -> String {
    std::fs::read_to_string(chapters().join(format!("games/{game}.md"))).unwrap()
}

/// The lines of a page that are no program text.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    text.split("```").step_by(2).flat_map(str::lines)
}

/// What a text links to, pictures included.
fn links(text: &str) -> Vec<String> {
    let lines = prose(text).flat_map(|line| line.split("](").skip(1));
    lines.filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())).collect()
}

/// The anchors of a page: its headings, as books and repositories on the web name them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = prose(text).filter(|line| line.starts_with('#'));
    let named = headings.map(|line| {
        let kept = line.trim_start_matches('#').trim().chars().filter_map(|c| match c {
            ' ' => Some('-'),
            '-' | '_' => Some(c),
            _ => c.is_alphanumeric().then(|| c.to_ascii_lowercase()),
        });
        kept.collect()
    });
    named.collect()
}

#[test]
fn the_summary_names_every_page() {
    let summary = std::fs::read_to_string(chapters().join("SUMMARY.md")).unwrap();
    let named: BTreeSet<PathBuf> =
        links(&summary).iter().map(|name| chapters().join(name)).collect();
    let there = files_in(&chapters()).into_iter().filter(|path| is_page(path));
    let there: BTreeSet<_> = there.filter(|path| !path.ends_with("SUMMARY.md")).collect();
    assert_eq!(named, there);
    for game in GAMES {
        assert!(named.contains(&chapters().join(format!("games/{}.md", game.id()))));
    }
}

#[test]
fn every_link_leads_somewhere() {
    let mut pictures = BTreeSet::new();
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for link in links(&text).iter().filter(|link| !link.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => page.clone(),
                _ => page.parent().unwrap().join(file),
            };
            assert!(target.exists(), "{}: {link} leads nowhere", page.display());
            if !anchor.is_empty() {
                let headings = anchors(&std::fs::read_to_string(&target).unwrap());
                assert!(headings.contains(anchor), "{}: {link}: {headings:?}", page.display());
            } else if !is_page(&target) {
                pictures.insert(target.canonicalize().unwrap());
            }
        }
    }
    let there: BTreeSet<_> = files_in(&chapters().join("pictures")).into_iter().collect();
    let unused: Vec<_> = there.difference(&pictures).collect();
    assert!(unused.is_empty(), "no page shows {unused:?}");
}

/// Every method that the glossary explains is where it says.
#[test]
fn the_glossary_names_files_that_are_there() {
    let text = std::fs::read_to_string(chapters().join("glossary.md")).unwrap();
    let named = text.split('`').skip(1).step_by(2).filter(|name| name.starts_with("crates/"));
    let missing: Vec<_> = named.clone().filter(|name| !root().join(name).is_file()).collect();
    assert!(missing.is_empty() && named.count() > 50, "{missing:?}");
}

#[test]
fn pictures_are_small() {
    let sizes = files_in(&chapters().join("pictures"));
    let sizes = sizes.iter().map(|path| (path, std::fs::metadata(path).unwrap().len()));
    let mut all = 0;
    for (path, bytes) in sizes {
        let moves = path.extension().is_some_and(|ending| ending == "gif");
        assert!(moves || bytes <= LARGEST_PICTURE, "{}: {bytes} bytes", path.display());
        all += bytes;
    }
    assert!((1..=ALL_PICTURES).contains(&all), "{all} bytes");
}

/// Who reads only one of the two finds the same commands.
#[test]
fn readme_and_manual_build_the_program_in_the_same_way() {
    let blocks = |text: &str| -> Vec<String> {
        let blocks = text.split("```sh\n").skip(1);
        blocks.map(|rest| rest.split_once("```").unwrap().0.to_owned()).collect()
    };
    let manual = std::fs::read_to_string(chapters().join("building.md")).unwrap();
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    assert_eq!(blocks(&readme).len(), 2);
    assert_eq!(blocks(&manual), blocks(&readme));
}

#[test]
fn pages_of_games_name_all_planners() {
    for game in GAMES {
        let page = page_of(game.id());
        let (_, table) = page.split_once("## Planners\n\n").unwrap();
        let rows = table.split("\n\n").next().unwrap().lines().skip(2);
        let named: Vec<_> = rows.map(|row| row.split('`').nth(1).unwrap()).collect();
        let planners: Vec<_> = game.planners().iter().map(|planner| planner.name).collect();
        assert_eq!(named, planners, "{}", game.id());
    }
}

/// The characters of a row's first column, such as `` `-`, `_` or space `` or `` `1` to `9` ``.
fn characters(cell: &str) -> BTreeSet<char> {
    let quoted = cell.split('`').skip(1).step_by(2).filter_map(|name| name.chars().last());
    let quoted: Vec<char> = quoted.collect();
    match quoted[..] {
        [first, last] if cell.contains(" to ") => (first..=last).collect(),
        _ => quoted.into_iter().chain(cell.contains("space").then_some(' ')).collect(),
    }
}

/// The words of a text that mean something, in lower case.
fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    words.filter(|word| word.len() >= 3 && word != "the" && word != "and").collect()
}

/// The table of tiles on the page of a game: the characters of each row, and the words of its meaning.
fn tiles_on(page: &str) -> Vec<(BTreeSet<char>, BTreeSet<String>)> {
    // Within a cell a bar is written with a backslash.
    let text = page.replace("\\|", "\0");
    let mut tables = text.split("\n\n").filter(|block| block.starts_with("| Character |"));
    let table = tables.next().unwrap();
    assert!(tables.next().is_none());
    let rows = table.lines().skip(2).map(|row| {
        let cells: Vec<&str> = row.split('|').collect();
        (characters(&cells[1].replace('\0', "|")), words(cells[2]))
    });
    rows.collect()
}

#[test]
fn tables_of_tiles_are_palettes() {
    for game in GAMES {
        let rows = tiles_on(&page_of(game.id()));
        let palette = game.facts().palette;
        let told: BTreeSet<char> = rows.iter().flat_map(|(symbols, _)| symbols).copied().collect();
        for tile in palette {
            assert!(told.contains(&tile.symbol), "{}: {} is missing", game.id(), tile.symbol);
        }
        for (symbols, meaning) in rows {
            for symbol in symbols {
                let is_meant =
                    |tile: &&TileKind| tile.symbol == symbol || tile.aliases.contains(symbol);
                let tile = palette.iter().find(is_meant);
                let tile = tile.unwrap_or_else(|| panic!("{}: no tile {symbol}", game.id()));
                let said = words(&format!("{} {}", tile.name, tile.help));
                assert!(!said.is_disjoint(&meaning), "{}: {symbol} is {said:?}", game.id());
            }
        }
    }
}
