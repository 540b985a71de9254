//! What screen readers are told, as elements of a page: those of a browser read nothing that is drawn on a canvas.

use bevy_egui::egui::accesskit::{Action, Live, Node, NodeId, Role, Toggled, TreeUpdate};
use serde::Serialize;

/// Elements that lie over the canvas unseen.
#[derive(Serialize)]
pub struct Mirror {
    /// The element with the keyboard's focus; `None` if that is the window as a whole.
    focus: Option<String>,
    /// Children of the whole, in order.
    top: Vec<String>,
    elements: Vec<Element>,
}

#[derive(Serialize)]
struct Element {
    id: String,
    tag: &'static str,
    attributes: Vec<(&'static str, String)>,
    /// What it says besides its children.
    #[serde(skip_serializing_if = "String::is_empty")]
    text: String,
    /// Whether changes of the text are read out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    live: bool,
    /// Left, top, width and height in CSS pixels of the canvas.
    place: [i64; 4],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<String>,
}

/// The elements for what a window shows. `scale` is CSS pixels per point of egui.
pub fn mirror(update: &TreeUpdate, scale: f64) -> Mirror {
    let root = update.tree.as_ref().map(|tree| tree.root);
    let shown: Vec<_> = update.nodes.iter().filter(|(_, node)| is_read(node)).collect();
    let known: std::collections::HashSet<_> = shown.iter().map(|(id, _)| *id).collect();
    let children = |node: &Node| -> Vec<String> {
        node.children().iter().filter(|id| known.contains(id)).map(|id| name(*id)).collect()
    };
    let whole = shown.iter().find(|(id, _)| Some(*id) == root);
    let rest = shown.iter().filter(|(id, _)| Some(*id) != root);
    Mirror {
        focus: (Some(update.focus) != root && known.contains(&update.focus))
            .then(|| name(update.focus)),
        top: whole.map(|(_, node)| children(node)).unwrap_or_default(),
        elements: rest
            .map(|(id, node)| {
                let named = node.labelled_by().iter().filter(|id| known.contains(id));
                let names = named.map(|id| name(*id)).collect::<Vec<_>>().join(" ");
                element(*id, node, scale, (children(node), names))
            })
            .collect(),
    }
}

fn name(id: NodeId) -> String {
    format!("e-{}", id.0)
}

/// Whether there is anything to read: what only a mouse uses, and areas that say nothing, are left out.
fn is_read(node: &Node) -> bool {
    let says = [node.label(), node.value()].into_iter().flatten().any(|text| !text.is_empty());
    match node.role() {
        Role::TextRun | Role::Splitter | Role::ScrollBar => false,
        Role::Label => says,
        Role::Unknown | Role::GenericContainer => says || !node.children().is_empty(),
        _ => true,
    }
}

/// The element of a node. `beside` are its children, and the elements whose texts are its name.
fn element(id: NodeId, node: &Node, scale: f64, beside: (Vec<String>, String)) -> Element {
    let (children, names) = beside;
    let label = node.label().unwrap_or_default();
    let value = node.value().unwrap_or_default();
    let role = role(node);
    let tag = match role {
        "slider" | "spinbutton" => "input",
        "" => "span",
        _ => "div",
    };
    let mut attributes = Vec::new();
    let mut put = |name, value: &str| attributes.push((name, value.to_owned()));
    if tag == "input" {
        put("type", if role == "slider" { "range" } else { "number" });
        let numbers = [
            ("min", node.min_numeric_value()),
            ("max", node.max_numeric_value()),
            ("value", node.numeric_value()),
        ];
        for (name, number) in numbers {
            number.into_iter().for_each(|number| put(name, &number.to_string()));
        }
        let step = node.numeric_value_step().filter(|step| *step > 0.0);
        put("step", &step.map_or_else(|| "any".to_owned(), |step| step.to_string()));
        put("aria-valuetext", value);
    } else if !role.is_empty() {
        put("role", role);
    }
    // Where the text is the name, a label would say it a second time.
    let text = match role {
        "button" | "link" | "checkbox" | "radio" => label,
        "" if value.is_empty() => label,
        "slider" | "spinbutton" | "progressbar" | "img" => "",
        _ => value,
    };
    if !names.is_empty() {
        put("aria-labelledby", &names);
    } else if text != label && !label.is_empty() {
        put("aria-label", label);
    }
    match (role, node.toggled()) {
        ("checkbox" | "radio", toggled) => {
            put("aria-checked", said(toggled.unwrap_or(Toggled::False)))
        }
        ("button", Some(toggled)) => put("aria-pressed", said(toggled)),
        _ => {}
    }
    match role {
        "combobox" => {
            put("aria-expanded", if node.is_expanded() == Some(true) { "true" } else { "false" })
        }
        "textbox" => {
            put(
                "aria-multiline",
                if node.role() == Role::MultilineTextInput { "true" } else { "false" },
            );
            node.placeholder().into_iter().for_each(|hint| put("aria-placeholder", hint));
        }
        "progressbar" => {
            let now = node.numeric_value().map(|value| value.to_string());
            now.into_iter().for_each(|now| put("aria-valuenow", &now));
        }
        _ => {}
    }
    if node.is_disabled() {
        put(if tag == "input" { "disabled" } else { "aria-disabled" }, "true");
    }
    if is_used(node) {
        // One can go there, but not by the Tab key, which is the game's.
        put("tabindex", "-1");
    }
    let place = node.bounds().map_or([0; 4], |place| {
        [place.x0, place.y0, place.x1 - place.x0, place.y1 - place.y0]
            .map(|length| (length * scale).round() as i64)
    });
    let live = node.live().is_some_and(|live| live != Live::Off);
    Element { id: name(id), tag, attributes, text: text.to_owned(), live, place, children }
}

fn is_used(node: &Node) -> bool {
    node.supports_action(Action::Click) || node.supports_action(Action::Focus)
}

/// The role by WAI-ARIA 1.2; empty for plain text.
fn role(node: &Node) -> &'static str {
    match node.role() {
        Role::Label => "",
        Role::Button | Role::ColorWell => "button",
        Role::CheckBox => "checkbox",
        Role::RadioButton => "radio",
        Role::RadioGroup => "radiogroup",
        Role::ComboBox => "combobox",
        Role::Slider => "slider",
        Role::SpinButton => "spinbutton",
        Role::TextInput | Role::MultilineTextInput | Role::PasswordInput => "textbox",
        Role::Link => "link",
        Role::Image => "img",
        Role::ProgressIndicator => "progressbar",
        Role::Window | Role::Dialog => "dialog",
        Role::Unknown if node.supports_action(Action::Click) && node.label().is_some() => "button",
        // What holds others together has nothing to say unless it has a name.
        _ => node.label().map_or("", |_| "group"),
    }
}

fn said(toggled: Toggled) -> &'static str {
    match toggled {
        Toggled::True => "true",
        Toggled::False => "false",
        Toggled::Mixed => "mixed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_egui::egui::{self, accesskit};

    /// The elements of what `show` draws.
    fn drawn(mut show: impl FnMut(&mut egui::Ui)) -> serde_json::Value {
        let ctx = egui::Context::default();
        ctx.enable_accesskit();
        let mut output = None;
        for _ in 0..2 {
            output =
                ctx.run_ui(egui::RawInput::default(), &mut show).platform_output.accesskit_update;
        }
        serde_json::to_value(mirror(&output.unwrap(), 2.0)).unwrap()
    }

    fn find<'a>(mirror: &'a serde_json::Value, text: &str) -> &'a serde_json::Value {
        let found = mirror["elements"].as_array().unwrap().iter();
        let found = found.filter(|element| {
            element["text"] == text || attribute(element, "aria-label") == Some(text)
        });
        let found: Vec<_> = found.collect();
        assert_eq!(found.len(), 1, "{text}: {mirror:#}");
        found[0]
    }

    fn attribute<'a>(element: &'a serde_json::Value, name: &str) -> Option<&'a str> {
        let all = element["attributes"].as_array().unwrap();
        all.iter().find(|pair| pair[0] == name).and_then(|pair| pair[1].as_str())
    }

    #[test]
    fn controls_become_elements_with_roles_and_states() {
        let (mut ticked, mut number, mut whole) = (true, 3.0, 7);
        let mut name = "Ada's ring".to_owned();
        let page = drawn(|ui| {
            ui.label("Level of the day");
            assert!(!ui.button("Play <now>").has_focus());
            ui.add_enabled(false, egui::Button::new("Undo"));
            assert!(!ui.selectable_label(true, "Dark").clicked());
            ui.checkbox(&mut ticked, "Sound");
            ui.add(egui::Slider::new(&mut number, 1.0..=9.0).text("Volume"));
            let label = ui.label("Seed");
            ui.add(egui::DragValue::new(&mut whole).range(0..=9)).labelled_by(label.id);
            let edit = ui.text_edit_singleline(&mut name);
            edit.request_focus();
            ui.ctx().accesskit_node_builder(edit.id, |node| node.set_label("Name"));
        });
        let play = find(&page, "Play <now>");
        assert_eq!((play["tag"].as_str(), attribute(play, "role")), (Some("div"), Some("button")));
        assert_eq!(
            (attribute(play, "tabindex"), attribute(play, "aria-pressed")),
            (Some("-1"), None)
        );
        let place = play["place"].as_array().unwrap();
        assert!(
            place[2].as_i64() > Some(80) && place[3].as_i64() > Some(30),
            "two pixels a point: {place:?}"
        );
        assert_eq!(attribute(find(&page, "Undo"), "aria-disabled"), Some("true"));
        assert_eq!(attribute(find(&page, "Dark"), "aria-pressed"), Some("true"));
        assert_eq!(attribute(find(&page, "Sound"), "aria-checked"), Some("true"));
        assert_eq!(find(&page, "Level of the day")["tag"], "span");
        let text = find(&page, "Name");
        assert_eq!(
            (attribute(text, "role"), text["text"].as_str()),
            (Some("textbox"), Some("Ada's ring"))
        );
        assert_eq!(page["focus"], text["id"]);
        let inputs: Vec<_> =
            page["elements"].as_array().unwrap().iter().filter(|it| it["tag"] == "input").collect();
        let slider = inputs.iter().find(|it| attribute(it, "type") == Some("range")).unwrap();
        let range = ["min", "max", "value"].map(|name| attribute(slider, name).unwrap());
        assert_eq!(range, ["1", "9", "3"]);
        let seed = inputs.iter().find(|it| attribute(it, "value") == Some("7")).unwrap();
        assert_eq!(attribute(seed, "aria-labelledby"), find(&page, "Seed")["id"].as_str());
    }

    #[test]
    fn every_element_has_one_parent_and_what_is_live_says_so() {
        let page = drawn(|ui| {
            let board = ui.allocate_response(egui::vec2(50.0, 50.0), egui::Sense::click());
            ui.ctx().accesskit_node_builder(board.id, |node| {
                node.set_role(accesskit::Role::Canvas);
                node.set_label("Board: tiny");
                node.set_value("Ada moves to 3, 4.");
                node.set_live(Live::Polite);
            });
            ui.scope(|ui| ui.vertical(|ui| ui.label("Row 1: empty")));
        });
        let board = find(&page, "Board: tiny");
        assert_eq!(
            (board["text"].as_str(), board["live"].as_bool()),
            (Some("Ada moves to 3, 4."), Some(true))
        );
        let elements = page["elements"].as_array().unwrap();
        let mut children: Vec<_> = page["top"].as_array().unwrap().iter().collect();
        children.extend(elements.iter().filter_map(|it| it["children"].as_array()).flatten());
        let mut ids: Vec<_> = elements.iter().map(|it| &it["id"]).collect();
        let order = |id: &&serde_json::Value| id.as_str().map(str::to_owned);
        children.sort_by_key(order);
        ids.sort_by_key(order);
        assert_eq!(children, ids);
    }
}
