//! What is on offer: the tools, as far as the settings admit them.
//!
//! In a build with the feature `conformance` the folder `fixtures` takes the place of this file.

use super::envelope::Fault;
use super::methods::Peer;
use super::{Revision, Serving};
use crate::tools::{self, Context, Tool};
use serde_json::{Map, Value};

/// A JSON array.
pub fn list(serving: &Serving<'_>, revision: Revision) -> String {
    let structured = revision.has_structured_output();
    tools::list(tools::all().filter(|tool| serving.settings.offers(tool)), structured)
}

/// A tool that is not offered is unknown.
pub fn find(serving: &Serving<'_>, name: &str) -> Option<&'static Tool> {
    tools::all().find(|tool| tool.name == name && serving.settings.offers(tool))
}

/// Runs one call. `_rest` is what came along with name and arguments.
pub fn run(
    serving: &Serving<'_>,
    peer: &Peer,
    tool: &'static Tool,
    arguments: Map<String, Value>,
    _rest: &Map<String, Value>,
) -> Result<Value, Fault> {
    let context =
        Context { world: serving.world, settings: serving.settings, client: &peer.client, routes: tool.routes };
    let outcome = tools::call(&context, tool, arguments);
    Ok(outcome.result(peer.revision.has_structured_output()))
}
