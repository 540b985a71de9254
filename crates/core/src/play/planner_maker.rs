//! How the planner of a player is made.

use super::{
    Game, MakeGraded, MakePlanner, Planner, PlannerContext, PlannerSpec, Seat, SetupError,
    find_planner,
};

/// How the planner of a player is made.
pub enum PlannerMaker<G: Game> {
    /// One of the list.
    Listed(MakePlanner<G>),
    /// The one whose strength is a number, with the loss per move.
    Graded(MakeGraded<G>, Option<f64>),
}

impl<G: Game> PlannerMaker<G> {
    /// For a player of this name: a planner among `specs`, or the game's graded one.
    ///
    /// # Errors
    /// Names those to choose from, or says what is wrong with the strength.
    pub fn of(specs: &[PlannerSpec<G>], player: &str, seat: Seat) -> Result<Self, SetupError> {
        if let Some(graded) = G::GRADED
            && let Some(loss) = graded.info.loss_of(player)?
        {
            return Ok(PlannerMaker::Graded(graded.make, loss));
        }
        let spec = find_planner(specs, player, seat).map_err(SetupError)?;
        Ok(PlannerMaker::Listed(spec.make))
    }

    /// At once: whatever takes long is for [`Planner::prepare`].
    pub fn make(&self, context: PlannerContext<G>) -> Box<dyn Planner<G>> {
        match self {
            PlannerMaker::Listed(make) => make(context),
            PlannerMaker::Graded(make, loss) => make(context, *loss),
        }
    }
}
