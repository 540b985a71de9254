//! What the messages of a game look like: an example, and a schema of all.

use super::{
    ActionMessage, BudgetMessage, InsightMessage, PROTOCOL, ProgramMessage, ReadyMessage,
    RefereeMessage, StartMessage, TurnMessage,
};
use crate::grid::Cell;
use crate::play::{Chance, Game, Mark, MarkKind, SetupError, Tone};
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde::Serialize;
use serde_json::{Value, json, to_value};

/// A message and who sends it.
#[derive(Clone, Debug, PartialEq)]
pub struct ExampleMessage {
    /// Whether the referee sends it.
    pub from_referee: bool,
    /// The message.
    pub message: Value,
}

/// A conversation: the start of a match, its first turn, the answers of a program that does as little as possible, and
/// the end.
///
/// # Errors
/// If the match has no start, or nobody moves in it.
pub fn example<G: Game>(game: &G) -> Result<Vec<ExampleMessage>, SetupError> {
    let mut state = game.start(&Chance::new(1))?;
    let mut past = Vec::new();
    // Some games move by themselves first.
    while game.to_move(&state).is_empty() && game.outcome(&state).is_none() {
        past.push(state.clone());
        game.advance(&mut state, &[], &Chance::new(1), &mut Vec::new());
    }
    let seat = *game.to_move(&state).first().ok_or_else(|| SetupError("nobody moves".into()))?;
    let turn = past.len();
    let whole = G::MATCH_RULES.whole_answers;
    let action = game.null_action(&state, seat);
    let answer = if whole { json!([action]) } else { value(&action) };
    let start = StartMessage {
        protocol: PROTOCOL,
        game: G::ID,
        rules_version: G::RULES_VERSION,
        seat: G::SEATS.id(seat),
        seats: (0..game.seats()).map(|seat| G::SEATS.id(crate::play::Seat(seat as u8))).collect(),
        level: game.public_level(),
        budget: BudgetMessage { ms: Some(500), bank_ms: 1500, match_ms: None, increment_ms: None },
        prepare_ms: 10_000,
        seed: 42,
    };
    let asked = TurnMessage {
        turn,
        observation: game.observe(&past, &state, seat),
        actions: if whole { None } else { game.actions(&state, seat) },
        default: answer.clone(),
        ms: Some(500),
        bank_ms: 1500,
        last: None,
    };
    let mark = Mark { cell: Cell::new(1, 1), kind: MarkKind::Ring, tone: Tone::Wanted };
    let insight = InsightMessage { turn, marks: vec![mark], ..InsightMessage::default() };
    let ready = ReadyMessage {
        protocol: PROTOCOL,
        name: "Fox".into(),
        author: "Ada".into(),
        keep_alive: true,
    };
    let referee = |message: Value| ExampleMessage { from_referee: true, message };
    let program = |message: ProgramMessage<Value>| ExampleMessage {
        from_referee: false,
        message: value(&message),
    };
    let outcome = (G::MATCH_RULES.closed)(game, &state, seat, crate::play::Closing::Resigned);
    Ok(vec![
        referee(value(&RefereeMessage::<_, (), (), ()>::Start(start))),
        program(ProgramMessage::Ready(ready)),
        referee(value(&RefereeMessage::<(), _, _, _>::Turn(asked))),
        program(ProgramMessage::Insight(insight)),
        program(ProgramMessage::Note { turn, text: "Nothing better found.".into() }),
        program(ProgramMessage::Action(ActionMessage { turn, action: answer, more: false })),
        referee(value(&RefereeMessage::<(), (), (), ()>::End { outcome: Some(outcome) })),
    ])
}

fn value<M: Serialize>(message: &M) -> Value {
    // Messages are plain data, which always becomes JSON.
    to_value(message).unwrap_or_default()
}

/// The JSON Schema of all messages of a game: those of the referee and those of a program.
pub fn schema<G: Game>() -> Value {
    fn one<M: JsonSchema>(generator: SchemaGenerator) -> Value {
        generator.into_root_schema_for::<M>().to_value()
    }
    fn both<G: Game, D: JsonSchema>() -> (Value, Value) {
        let settings = || SchemaSettings::draft2020_12().into_generator();
        let referee = one::<RefereeMessage<G::Level, G::Observation, G::Action, D>>(settings());
        (referee, one::<ProgramMessage<D>>(settings()))
    }
    let (referee, program) = match G::MATCH_RULES.whole_answers {
        true => both::<G, Vec<G::Action>>(),
        false => both::<G, G::Action>(),
    };
    json!({ "game": G::ID, "protocol": PROTOCOL, "referee": referee, "program": program })
}
