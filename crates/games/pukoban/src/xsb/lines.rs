//! The lines of a text, without what mailers and other dialects add to them.

use std::borrow::Cow;

/// The same text with `#` for each wall, where a file writes them as `W`: in lines that begin and end with one and
/// hold nothing but tiles, unless there is a `#` anywhere.
pub(super) fn with_common_walls(text: &str) -> Cow<'_, str> {
    if text.contains('#') || !text.contains('W') {
        return Cow::Borrowed(text);
    }
    let is_row = |line: &str| {
        let line = line.trim_matches(['-', '_', ' ', '\t', '\0', '>']);
        line.len() > 2
            && line.starts_with('W')
            && line.ends_with('W')
            && line.chars().all(|symbol| "WpPbBo@+$*. -_".contains(symbol))
    };
    let parts = text.split_inclusive(['\n', '\r']);
    Cow::Owned(
        parts
            .map(|line| match is_row(line.trim_end_matches(['\n', '\r'])) {
                true => line.replace('W', "#"),
                false => line.to_owned(),
            })
            .collect(),
    )
}

/// The length of the marks with which mailers quote a line, up to the last `>`; 0 if there is none.
fn marks(line: &str) -> usize {
    let rest = line.trim_start_matches(['>', ' ']);
    match line.starts_with('>') {
        true => line[..line.len() - rest.len()].trim_end_matches(' ').len(),
        false => 0,
    }
}

/// Takes the marks of quoted mail off the lines that have them, where two or more stand together. Some mailers put
/// a blank behind each mark.
pub(super) fn unquote(lines: &mut [&str]) {
    for quoted in lines.chunk_by_mut(|a, b| (marks(a) > 0) == (marks(b) > 0)) {
        if quoted.len() < 2 || marks(quoted[0]) == 0 {
            continue;
        }
        quoted.iter_mut().for_each(|line| *line = &line[marks(line)..]);
        if quoted.iter().all(|line| line.is_empty() || line.starts_with(' ')) {
            quoted.iter_mut().for_each(|line| *line = line.strip_prefix(' ').unwrap_or(line));
        }
    }
}

/// Whether a line is one tile over and over, no wall, as files draw a line between boards.
fn is_rule(text: &str) -> bool {
    let text = text.trim().as_bytes();
    text.len() > 2 && b"-_.*".contains(&text[0]) && text.iter().all(|byte| *byte == text[0])
}

/// Whether a line is a row with a player.
fn has_player(text: &str) -> bool {
    text.contains('#')
        && text.contains(['@', '+', 'p', 'P'])
        && text.chars().all(|symbol| !symbol.is_alphabetic() || "pPbBo".contains(symbol))
}

/// Makes blank lines of those that separate boards without any blank line beside them. Nothing but the second
/// player tells them from rows.
pub(super) fn blank_separators(lines: &mut [&str]) {
    let is_blank = |text: &str| text.trim().is_empty();
    for block in lines.chunk_by_mut(|a, b| is_blank(a) == is_blank(b)) {
        let rules: Vec<usize> = (0..block.len()).filter(|&at| is_rule(block[at])).collect();
        let is_board = |from: usize, to: usize| block[from..to].iter().any(|text| has_player(text));
        let mut separators = Vec::new();
        let mut first = 0;
        let mut above = false;
        for (number, &rule) in rules.iter().enumerate() {
            above |= is_board(first, rule);
            first = rule + 1;
            let end = rules.get(number + 1).map_or(block.len(), |&next| next);
            if above && is_board(first, end) {
                separators.push(rule);
                above = false;
            }
        }
        if separators.is_empty() {
            continue;
        }
        let ends = [0, block.len() - 1].into_iter().filter(|at| is_rule(block[*at]));
        for at in separators.into_iter().chain(ends.collect::<Vec<_>>()) {
            block[at] = "";
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_quoted_mail_are_taken_off() {
        let unquoted = |text: &'static str| {
            let mut lines: Vec<&str> = text.lines().collect();
            unquote(&mut lines);
            lines
        };
        assert_eq!(unquoted("x\n>   ##\n>\n> #@#\n"), ["x", "  ##", "", "#@#"]);
        // Without a blank behind the mark, the rows keep theirs.
        assert_eq!(unquoted(">  ##\n>#@#"), ["  ##", "#@#"]);
        assert_eq!(unquoted(">> #\n> > #\n> #"), ["#", "#", "#"]);
        assert_eq!(unquoted(">> Hard <<\n#"), [">> Hard <<", "#"]);
    }

    #[test]
    fn lines_between_boards_are_blank() {
        let blanked = |text: &'static str| {
            let mut lines: Vec<&str> = text.lines().collect();
            blank_separators(&mut lines);
            lines.join("\n")
        };
        assert_eq!(blanked("----\n#@#\n----\n#p#\n----"), "\n#@#\n\n#p#\n");
        assert_eq!(blanked("#@#\n***\nTwo\n#@#\n___\n#+#"), "#@#\n\nTwo\n#@#\n\n#+#");
        // Rows of a board, though they look the same.
        for same in ["----\n#@#\n---\n#.#\n---", "---\n#@#\n\n---\n#@#", "#@#\n--\n#@#"] {
            assert_eq!(blanked(same), same);
        }
        assert_eq!(blanked("#@#\n---\n#$#\n---\n#@#"), "#@#\n---\n#$#\n\n#@#");
    }

    #[test]
    fn walls_are_letters_only_in_files_without_common_ones() {
        assert_eq!(with_common_walls("WoW!\nWWW\r\n W.W\n> WpW"), "WoW!\n###\r\n #.#\n> #p#");
        for same in ["WWW\n#", "Willow\nW\nWow\nWest"] {
            assert_eq!(with_common_walls(same), same);
        }
    }
}
