//! Boards as drawings for notebooks and as pixels.

use outwit_core::escape::markup;
use outwit_kit::{BoardPlanes, Plane};
use std::fmt::Write;

/// The least and the largest side of a cell of a drawing, in points.
const CELL: [usize; 2] = [24, 56];
/// Cells of small boards are larger, so that the longer side of a drawing comes near to this.
const LONG_SIDE: usize = 320;
/// A drawing is not wider than this, in points.
const WIDEST: usize = 720;
/// More turns are not drawn: then only some of them are, evenly spaced.
const MOST_FRAMES: usize = 600;

const PAPER: &str = "#fbfaf6";
const LINES: &str = "#d9d6cc";
const INK: [u8; 3] = [27, 27, 31];
const PALE: [u8; 3] = [244, 234, 215];

/// The silhouettes of pieces, by their names.
const SILHOUETTES: &[(&str, &str)] = &[
    ("box", include_str!("../../assets/pieces/box.svg")),
    ("car", include_str!("../../assets/pieces/car.svg")),
    ("car-2", include_str!("../../assets/pieces/car-2.svg")),
    ("chest", include_str!("../../assets/pieces/chest.svg")),
    ("cop", include_str!("../../assets/pieces/cop.svg")),
    ("guard", include_str!("../../assets/pieces/guard.svg")),
    ("stone-o", include_str!("../../assets/pieces/stone-o.svg")),
    ("stone-x", include_str!("../../assets/pieces/stone-x.svg")),
    ("thief", include_str!("../../assets/pieces/thief.svg")),
    ("worker", include_str!("../../assets/pieces/worker.svg")),
];

fn silhouette(plane: &Plane) -> Option<&'static str> {
    let wanted = plane.silhouette?;
    SILHOUETTES.iter().find(|(name, _)| *name == wanted).map(|(_, drawing)| *drawing)
}

fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Part of the way from one colour to another, in percent.
fn mixed(from: [u8; 3], to: [u8; 3], percent: u16) -> [u8; 3] {
    std::array::from_fn(|at| {
        let (from, to) = (u16::from(from[at]), u16::from(to[at]));
        ((from * (100 - percent) + to * percent) / 100) as u8
    })
}

/// The name of a piece's symbol, which is the same wherever the same piece is drawn.
fn symbol_name(plane: &Plane) -> String {
    format!("outwit-{}-{}", plane.silhouette.unwrap_or_default(), &hex(plane.colour)[1..])
}

/// The silhouettes of a board, as symbols to use.
fn symbols(board: &BoardPlanes) -> String {
    let mut symbols = String::from("<defs>");
    for plane in &board.planes {
        let Some(drawing) = silhouette(plane) else { continue };
        let colour = plane.colour;
        let mut shape = drawing.to_owned();
        for (class, tone) in [
            ("body", colour),
            ("shade", mixed(colour, [0; 3], 35)),
            ("lit", mixed(colour, [255; 3], 45)),
            ("ink", INK),
            ("pale", PALE),
        ] {
            let class = format!("class=\"{class}\"");
            let fill = format!("fill=\"{}\"", hex(tone));
            shape = shape.replace(&class, &fill);
        }
        let begin = format!("<symbol id=\"{}\"", symbol_name(plane));
        symbols += &shape.replacen("<svg", &begin, 1).replacen("</svg>", "</symbol>", 1);
    }
    symbols + "</defs>"
}

/// What is marked in some of the planes.
fn marked(board: &BoardPlanes, planes: std::ops::Range<usize>) -> String {
    let mut drawn = String::new();
    for at in planes {
        let plane = &board.planes[at];
        let mut path = String::new();
        for y in 0..board.rows {
            let mut x = 0;
            while x < board.columns {
                let begin = x;
                while board.is_marked(at, x, y) {
                    x += 1;
                }
                if x > begin && silhouette(plane).is_some() {
                    for x in begin..x {
                        let name = symbol_name(plane);
                        // A string takes all that is written.
                        let _ = write!(
                            drawn,
                            "<use href=\"#{name}\" x=\"{x}\" y=\"{y}\" width=\"1\" height=\"1\"/>"
                        );
                    }
                } else if x > begin {
                    let wide = x - begin;
                    let _ = write!(path, "M{begin} {y}h{wide}v1h-{wide}z");
                }
                x += 1;
            }
        }
        if !path.is_empty() {
            let _ = write!(drawn, "<path fill=\"{}\" d=\"{path}\"/>", hex(plane.colour));
        }
    }
    drawn
}

/// A drawing with something on the board; `title` is read to those who do not see it.
fn page(board: &BoardPlanes, title: &str, content: &str) -> String {
    let columns = board.columns;
    let rows = board.rows;
    let [least, most] = CELL;
    let cell = (LONG_SIDE / columns.max(rows).max(1)).clamp(least, most);
    let width = (columns * cell).min(WIDEST);
    let height = width * rows / columns.max(1);
    let mut lines = String::new();
    for x in 0..=columns {
        let _ = write!(lines, "M{x} 0v{rows}");
    }
    for y in 0..=rows {
        let _ = write!(lines, "M0 {y}h{columns}");
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {columns} {rows}\" role=\"img\"><title>{}</title>{}\
         <path fill=\"{PAPER}\" d=\"M0 0h{columns}v{rows}h-{columns}z\"/>\
         {content}<path stroke=\"{LINES}\" stroke-width=\"0.03\" opacity=\"0.6\" d=\"{lines}\"/></svg>",
        markup(title),
        symbols(board),
    )
}

/// A board as a drawing in SVG.
pub fn svg(board: &BoardPlanes, title: &str) -> String {
    page(board, title, &marked(board, 0..board.planes.len()))
}

/// All positions of a match as a drawing with a slider. `headline` says how it ended.
pub fn film(boards: &[BoardPlanes], headline: &str) -> Option<String> {
    let first = boards.first()?;
    let last = boards.len() - 1;
    let step = boards.len().div_ceil(MOST_FRAMES);
    let mut turns: Vec<usize> = (0..=last).step_by(step).collect();
    if turns.last() != Some(&last) {
        turns.push(last);
    }
    let mut content = marked(first, 0..first.fixed);
    for (at, &turn) in turns.iter().enumerate() {
        let board = &boards[turn];
        let hidden = if at + 1 == turns.len() { "" } else { " style=\"display:none\"" };
        let moving = marked(board, board.fixed..board.planes.len());
        let _ = write!(content, "<g data-turn=\"{turn}\"{hidden}>{moving}</g>");
    }
    let frames = turns.len() - 1;
    // A notebook that is not trusted drops drawings and style sheets, and disables the slider.
    let untrusted = "<style>.outwit-untrusted{display:none}</style><p class=\"outwit-untrusted\">The board is \
                     shown once you run this cell or trust the notebook.</p>";
    // Without scripts, as on pages that show notebooks, the last position is seen.
    let show = "const film=this.closest('figure');const frames=film.querySelectorAll('g[data-turn]');\
                frames.forEach((frame,at)=>{frame.style.display=at==this.value?'':'none'});\
                film.querySelector('output').value=frames[this.value].dataset.turn;";
    Some(format!(
        "<figure style=\"margin:0\">{untrusted}{}<div><input type=\"range\" \
         data-lm-suppress-shortcuts=\"true\" min=\"0\" max=\"{frames}\" value=\"{frames}\" \
         aria-label=\"Turn\" style=\"width:20em;vertical-align:middle\" oninput=\"{show}\"/> \
         turn <output>{last}</output> of {last}</div><figcaption>{}</figcaption></figure>",
        page(first, headline, &content),
        markup(headline),
    ))
}

/// A board as pixels, row after row in red, green and blue; a cell is a square of `side` pixels. Pieces are discs.
pub fn pixels(board: &BoardPlanes, side: usize) -> Vec<u8> {
    let columns = board.columns;
    let rows = board.rows;
    let width = columns * side;
    let mut pixels = vec![0; 3 * width * rows * side];
    let middle = (side as f64 - 1.0) / 2.0;
    for (at, pixel) in pixels.chunks_exact_mut(3).enumerate() {
        let x = at % width;
        let y = at / width;
        let inside_x = (x % side) as f64 - middle;
        let inside_y = (y % side) as f64 - middle;
        let is_disc = inside_x.hypot(inside_y) <= 0.45 * side as f64;
        let mut colour = [251, 250, 246];
        for (plane, look) in board.planes.iter().enumerate() {
            let is_drawn = look.silhouette.is_none() || is_disc;
            if is_drawn && board.is_marked(plane, x / side, y / side) {
                colour = look.colour;
            }
        }
        pixel.copy_from_slice(&colour);
    }
    pixels
}
