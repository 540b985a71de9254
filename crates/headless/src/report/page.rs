//! A page of HTML: headings, paragraphs, tables, commands.

use super::figure;
use crate::shell_word::CommandLine;
use outwit_core::escape::markup;
use serde_json::Value;
use std::fmt::Write;

/// The look of the page; it follows the reader's choice of a dark or a light theme.
const STYLE: &str = "\
:root{color-scheme:light dark;--ground:#fdfaf3;--panel:#f4efe2;--text:#23252e;--faint:#5d6070;--line:#cfc8b6;\
--one:#0072b2;--two:#b35900}\
@media(prefers-color-scheme:dark){:root{--ground:#10182b;--panel:#172038;--text:#eef1f8;--faint:#a9b1c6;\
--line:#33405f;--one:#56b4e9;--two:#e69f00}}\
body{margin:0 auto;padding:2rem 1.5rem 4rem;max-width:64rem;background:var(--ground);color:var(--text);\
font:16px/1.5 Inter,'Segoe UI',Helvetica,Arial,sans-serif}\
h1{font-size:1.7rem;margin:0 0 .3rem}h2{font-size:1.2rem;margin:2.2rem 0 .6rem}p{margin:.4rem 0}\
.faint{color:var(--faint)}.scroll{overflow-x:auto;margin-bottom:1rem}\
table{border-collapse:collapse;font-size:.92rem;font-variant-numeric:tabular-nums}\
th,td{padding:.3rem .7rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}\
th{font-weight:600;background:var(--panel)}th.word,td.word{text-align:left}td.best{font-weight:600}\
pre{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:.7rem 1rem;white-space:pre-wrap;\
font-size:.9rem}\
a{color:var(--one)}figure{display:inline-block;margin:0 1rem 1rem 0;vertical-align:top}figure img{display:block;max-width:100%;\
border-radius:6px}figcaption{font-size:.9rem;max-width:20rem;color:var(--faint)}\
svg text{fill:var(--text);font-size:13px}svg .faint{fill:var(--faint)}svg .axis{stroke:var(--line)}\
svg .one{stroke:var(--one);fill:var(--one)}svg .two{stroke:var(--two);fill:var(--two)}";

/// What stands in a cell of a table.
pub enum Cell {
    /// Plain text.
    Text(String),
    /// A link: its address, and its words. The address is the program's own.
    Link(String, String),
}

impl Cell {
    /// A link to an address with these words.
    pub fn link(address: String, words: &str) -> Self {
        Self::Link(address, words.into())
    }
}

/// A page that is being written.
pub struct Page {
    title: String,
    /// Rules of its look beside the usual ones.
    style: &'static str,
    body: String,
}

impl Page {
    /// A page with a title, and a line below that says what it is.
    pub fn new(title: &str, about: &str) -> Self {
        let mut page = Self { title: title.into(), style: "", body: String::new() };
        let _ = writeln!(page.body, "<h1>{}</h1>", markup(title));
        page.faint(about);
        page
    }

    /// Adds rules of the look.
    pub fn style(&mut self, style: &'static str) {
        self.style = style;
    }

    /// Begins a part of the page with a heading.
    pub fn section(&mut self, title: &str) {
        let _ = writeln!(self.body, "<h2>{}</h2>", markup(title));
    }

    /// A paragraph of plain text.
    pub fn paragraph(&mut self, words: &str) {
        let _ = writeln!(self.body, "<p>{}</p>", markup(words));
    }

    /// A paragraph in the faint colour, for explanations.
    pub fn faint(&mut self, words: &str) {
        let _ = writeln!(self.body, "<p class=\"faint\">{}</p>", markup(words));
    }

    /// A command to be copied.
    pub fn command(&mut self, command: &CommandLine) {
        let _ = writeln!(self.body, "<pre>{}</pre>", markup(&command.to_string()));
    }

    /// What is HTML already.
    pub fn html(&mut self, html: &str) {
        self.body.push_str(html);
    }

    /// Lines as they were printed, each on its own.
    pub fn log(&mut self, lines: &[String]) {
        let lines: Vec<String> = lines.iter().map(|line| markup(line)).collect();
        let _ = writeln!(self.body, "<pre>{}</pre>", lines.join("\n"));
    }

    /// A table of cells that are text; the first `words` columns hold words.
    pub fn table(&mut self, head: &[String], rows: &[Vec<String>], words: usize) {
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        let cells = |row: &Vec<String>| row.iter().cloned().map(Cell::Text).collect();
        let rows: Vec<Vec<Cell>> = rows.iter().map(cells).collect();
        self.cells(&head, &rows, words);
    }

    /// A table; the first `words` columns hold words.
    pub fn cells(&mut self, head: &[&str], rows: &[Vec<Cell>], words: usize) {
        self.cells_and_remarks(head, rows, words, 0);
    }

    /// A table; the first `words` columns and the last `remarks` ones hold words.
    pub fn cells_and_remarks(
        &mut self,
        head: &[&str],
        rows: &[Vec<Cell>],
        words: usize,
        remarks: usize,
    ) {
        let is_word = |column: usize| column < words || column + remarks >= head.len();
        let class = |column: usize| if is_word(column) { " class=\"word\"" } else { "" };
        self.body.push_str("<div class=\"scroll\"><table>\n<tr>");
        for (column, title) in head.iter().enumerate() {
            let _ = write!(self.body, "<th{}>{}</th>", class(column), markup(title));
        }
        self.body.push_str("</tr>\n");
        for row in rows {
            self.body.push_str("<tr>");
            for (column, cell) in row.iter().enumerate() {
                let inner = match cell {
                    Cell::Text(text) => markup(text),
                    Cell::Link(address, text) => {
                        format!("<a href=\"{}\">{}</a>", markup(address), markup(text))
                    }
                };
                let _ = write!(self.body, "<td{}>{inner}</td>", class(column));
            }
            self.body.push_str("</tr>\n");
        }
        self.body.push_str("</table></div>\n");
    }

    /// A table of flat objects with the same keys.
    pub fn objects(&mut self, rows: &[Value]) {
        let Some(first) = rows.first().and_then(Value::as_object) else { return };
        let words = first.values().take_while(|value| value.is_string()).count();
        let head: Vec<String> = first.keys().map(|key| key.replace('_', " ")).collect();
        let rows: Vec<Vec<String>> = rows
            .iter()
            .map(|row: &Value| -> Vec<String> {
                row.as_object().into_iter().flat_map(|row| row.values()).map(cell).collect()
            })
            .collect();
        self.table(&head, &rows, words);
    }

    /// The whole document, to be written to a file.
    pub fn finish(self) -> String {
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{}</title>\n<style>{STYLE}{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
            markup(&self.title),
            self.style,
            self.body
        )
    }
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => "–".into(),
        Value::Bool(is) => if *is { "yes" } else { "no" }.into(),
        Value::Number(number) => number.as_f64().map_or_else(|| number.to_string(), figure),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
