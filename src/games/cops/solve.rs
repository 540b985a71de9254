//! placeholder
use super::level::CopsFile;
use crate::games::kind::{Solution, SolveOptions};
use crate::play::StopFlag;
pub fn solve(_l: &CopsFile, _o: &SolveOptions, _s: &StopFlag) -> Result<Solution, String> {
    Err("not yet".into())
}
