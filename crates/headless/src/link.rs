//! Links: a match, a level or a replay in the address of a page, behind its `#`.
//!
//! - `play=racetrack/harbour` is a match on a built-in level
//! - `level=1~DATA` is a match on the level inside
//! - `replay=1~DATA` is a replay
//!
//! To a match may be added, each behind a `&`: `SEAT=human` or `SEAT=PLANNER`, `seed=7` and `budget=500ms`; to DATA
//! `name=NAME`. DATA is the text of the file, compressed (zlib, RFC 1950) and written as base64 for addresses (RFC
//! 4648); the number before it is the version of this form.

use crate::cli::{MatchArgs, PLAY_BUDGET, Wanted, check_seats};
use crate::{find, recognise_or_say};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use outwit_core::escape::is_visible;
use outwit_core::play::{AllowedPrograms, BANK, Budget, Player};
use outwit_kit::{AnyLevel, DynGame, is_replay, replay_game};
use outwit_levels::{Entry, Source};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Links longer than this are refused, in bytes.
const LONGEST: usize = 1 << 18;

/// Texts longer than this are neither read from a link nor written into one, in bytes.
const LONGEST_TEXT: usize = 1 << 20;

/// How much is compressed, from 0 to 10.
const LEVEL: u8 = 9;

/// The version of the form in which texts are written.
const VERSION: &str = "1~";

/// Opens what a link means; `link` is what stands behind its `#`.
///
/// # Errors
/// What is wrong with it.
pub fn open(link: &str) -> Result<Wanted, String> {
    if link.is_empty() {
        return Ok(Wanted::Menu);
    }
    if link.len() > LONGEST {
        return Err(format!("it is longer than {} kB", LONGEST >> 10));
    }
    let mut pairs = Vec::new();
    for part in link.split('&') {
        let (key, value) =
            part.split_once('=').ok_or_else(|| format!("'{}' is not KEY=VALUE", shown(part)))?;
        let decode = |text: &str| {
            let decoded = percent_decode_str(text).decode_utf8();
            decoded.map(String::from).map_err(|_| format!("'{}' is not text", shown(text)))
        };
        pairs.push((decode(key)?, decode(value)?));
    }
    let (key, value) = pairs.remove(0);
    match key.as_str() {
        "play" => {
            let level = outwit_levels::built_in(&value)
                .ok_or_else(|| format!("there is no built-in level '{}'", shown(&value)))?;
            let game = value.split_once('/').map_or("", |(game, _)| game);
            let kind = find(game).map_err(|why| why.to_string())?;
            let bytes = level.bytes().map_err(|error| error.to_string())?;
            let checked = kind.read(&bytes, level.stem()).ok();
            play(kind, level, checked.as_ref(), &pairs)
        }
        "level" => {
            let name = take_name(&mut pairs)?;
            let text = unpack(&value)?;
            let kind = recognise_or_say(text.as_bytes(), &name).map_err(|why| why.to_string())?;
            let id = format!("{}/{name}", kind.id());
            let level = Entry { id, source: Source::Draft(text.as_str().into()) };
            let Ok(checked) = kind.read(text.as_bytes(), &name) else {
                return Ok(Wanted::Editor(Some(level)));
            };
            play(kind, level, Some(&checked), &pairs)
        }
        "replay" => {
            let name = take_name(&mut pairs)?;
            let text = unpack(&value)?;
            if !is_replay(text.as_bytes())
                || find(&replay_game(text.as_bytes()).unwrap_or_default()).is_err()
            {
                return Err("what is in it is not a replay of a game of this version".into());
            }
            Ok(Wanted::Replay { name, text })
        }
        _ => Err(format!("'{}' is not play, level or replay", shown(&key))),
    }
}

/// A match on a level, which was read already, with what a link says of it.
fn play(
    kind: &dyn DynGame,
    level: Entry,
    checked: Option<&AnyLevel>,
    pairs: &[(String, String)],
) -> Result<Wanted, String> {
    let mut seed = 1;
    let mut budget = PLAY_BUDGET;
    let mut seats = Vec::new();
    for (key, value) in pairs {
        match key.as_str() {
            "seed" => {
                seed = value
                    .parse()
                    .map_err(|_| format!("seed: '{}' is not a number", shown(value)))?;
            }
            "budget" => {
                budget = value.parse::<Budget>()?;
                budget.check()?;
            }
            _ => seats.push((key.clone(), Player::from(value.as_str()))),
        }
    }
    if seats.iter().any(|(_, player)| player.program().is_some()) {
        return Err("a link cannot start programs".into());
    }
    check_seats(kind, &seats)?;
    Ok(Wanted::Match(MatchArgs {
        game: kind.id(),
        level,
        players: kind.line_up(&seats, checked),
        beside: None,
        programs: AllowedPrograms::default(),
        seed,
        budget,
        bank: Some(BANK),
    }))
}

/// The link in a text such as the address of the page: what stands behind its `#`, without it.
pub fn in_text(text: &str) -> Option<&str> {
    let (_, link) = text.trim().split_once('#')?;
    let begins = ["play=", "level=", "replay="].iter().any(|key| link.starts_with(key));
    (begins && !link.contains(char::is_whitespace)).then_some(link)
}

/// The name that a level or a replay goes by here.
fn take_name(pairs: &mut Vec<(String, String)>) -> Result<String, String> {
    let Some(at) = pairs.iter().position(|(key, _)| key == "name") else {
        return Ok("shared".into());
    };
    let (_, name) = pairs.remove(at);
    match name.as_str() {
        fine if is_visible(fine) && fine.len() <= 100 && !fine.contains(['/', '\\']) => Ok(name),
        _ => Err("its name cannot be seen, is too long or a path".into()),
    }
}

/// The beginning of something that may be long.
fn shown(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

fn unpack(data: &str) -> Result<String, String> {
    let data = data.strip_prefix(VERSION).ok_or("it is of another version of Outwit")?;
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(data).map_err(|_| "a part of it is missing")?;
    let text = decompress_to_vec_zlib_with_limit(&bytes, LONGEST_TEXT)
        .map_err(|_| "a part of it is missing, or it is too large")?;
    String::from_utf8(text).map_err(|_| "what is in it is not text".into())
}

fn packed(what: &str, name: &str, text: &str) -> Result<String, String> {
    if text.len() > LONGEST_TEXT {
        return Err("It is too large for a link; send the file.".into());
    }
    let data = BASE64_URL_SAFE_NO_PAD.encode(compress_to_vec_zlib(text.as_bytes(), LEVEL));
    let name = utf8_percent_encode(name, NON_ALPHANUMERIC);
    let link = format!("{what}={VERSION}{data}&name={name}");
    if link.len() > LONGEST {
        return Err("It is too large for a link; send the file.".into());
    }
    Ok(link)
}

/// The link to a level: its id if it is built-in, else the level as a whole.
///
/// # Errors
/// If it is too large, or cannot be read.
pub fn of_level(level: &Entry) -> Result<String, String> {
    if matches!(level.source, Source::BuiltIn(_)) {
        return Ok(format!("play={}", level.id));
    }
    let bytes = level.bytes().map_err(|error| error.to_string())?;
    let text = std::str::from_utf8(&bytes).map_err(|_| "It is not text.")?;
    packed("level", level.stem(), text)
}

/// The link to a replay.
///
/// # Errors
/// If it is too large.
pub fn of_replay(name: &str, text: &str) -> Result<String, String> {
    packed("replay", name, text)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_match_is_opened_with_its_seats() {
        let link = "play=racetrack/harbour&car1=human&car2=ace&seed=7&budget=2000w";
        let Ok(Wanted::Match(wanted)) = open(link) else { panic!("no match") };
        let names: Vec<_> = wanted.players.iter().map(Player::name).collect();
        assert_eq!((wanted.game, wanted.level.id.as_str()), ("racetrack", "racetrack/harbour"));
        assert_eq!((wanted.seed, wanted.budget), (7, Budget::Work(2000)));
        assert_eq!(names, ["human", "ace"]);
        assert!(matches!(open(""), Ok(Wanted::Menu)));
    }

    #[test]
    fn a_level_of_ones_own_comes_back_whole() {
        let built_in = outwit_levels::built_in("racetrack/tiny").unwrap();
        assert_eq!(of_level(&built_in).unwrap(), "play=racetrack/tiny");
        let text = String::from_utf8(built_in.bytes().unwrap().to_vec()).unwrap();
        let own = Entry {
            id: "racetrack/Ada’s 1st".into(),
            source: Source::Draft(text.as_str().into()),
        };
        let link = of_level(&own).unwrap();
        assert!(link.is_ascii() && !link.contains([' ', '#', '"']), "{link}");
        let Ok(Wanted::Match(wanted)) = open(&format!("{link}&seed=3")) else { panic!("no match") };
        assert_eq!((wanted.level.id.as_str(), wanted.seed), ("racetrack/Ada’s 1st", 3));
        assert_eq!(wanted.level.bytes().unwrap(), own.bytes().unwrap());
        let faulty = Entry { source: Source::Draft(text.replace('F', ".").as_str().into()), ..own };
        assert!(matches!(open(&of_level(&faulty).unwrap()), Ok(Wanted::Editor(Some(_)))));
    }

    #[test]
    fn a_replay_comes_back_whole() {
        let text = "(format: \"outwit-replay 1\", game: \"cops\")";
        let Ok(Wanted::Replay { name, text: there }) = open(&of_replay("My chase", text).unwrap())
        else {
            panic!("not a replay")
        };
        assert_eq!((name.as_str(), there.as_str()), ("My chase", text));
    }

    #[test]
    fn links_are_found_in_addresses() {
        for text in ["#play=mnk/tic", "https://example.org/outwit/#play=mnk/tic\n"] {
            assert_eq!(in_text(text), Some("play=mnk/tic"));
        }
        for text in ["", "play=mnk/tic", "# play", "#####\n#@$.#", "#play=a b", "see #level"] {
            assert_eq!(in_text(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let bomb = "x".repeat(LONGEST_TEXT + 1);
        let bomb = BASE64_URL_SAFE_NO_PAD.encode(compress_to_vec_zlib(bomb.as_bytes(), 9));
        let cut = of_replay("a", &"(format: \"outwit-replay 1\")".repeat(9)).unwrap();
        let long = "play=".to_owned() + &"x".repeat(LONGEST);
        for (link, why) in [
            ("play", "not KEY=VALUE"),
            ("watch=1", "not play, level or replay"),
            ("play=racetrack/nowhere", "no built-in level"),
            ("play=../../etc/passwd", "no built-in level"),
            ("play=racetrack/tiny&car1=engine:/bin/sh", "cannot start programs"),
            ("play=racetrack/tiny&car1=nobody", "nobody"),
            ("play=racetrack/tiny&cop=human", "cop"),
            ("play=racetrack/tiny&seed=-1", "not a number"),
            ("play=racetrack/tiny&budget=1year", "budget"),
            ("play=%ff", "not text"),
            ("level=2~abc", "another version"),
            ("level=1~a!", "missing"),
            ("level=1~AAAA", "missing"),
            (&format!("level=1~{bomb}"), "too large"),
            (&cut[..cut.len() / 2], "missing"),
            (&of_replay("a", "a letter").unwrap(), "not a replay"),
            (&of_replay("a/b", "x").unwrap(), "a path"),
            (&of_replay("\u{200b}", "x").unwrap(), "cannot be seen"),
            (&long, "longer than"),
        ] {
            let said = open(link).map(|_| ()).unwrap_err();
            assert!(said.contains(why), "{}: {said}", shown(link));
        }
    }

    proptest! {
        #[test]
        fn no_link_panics(link in "(play|level|replay)=(1~)?[ -~]{0,60}") {
            let _ = open(&link);
        }

        #[test]
        fn any_data_is_refused_or_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let data = BASE64_URL_SAFE_NO_PAD.encode(bytes);
            for what in ["level", "replay"] {
                let _ = open(&format!("{what}=1~{data}"));
            }
        }
    }
}
