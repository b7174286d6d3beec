use super::Tool;

pub const TOOLS: &[&Tool] = &[];
