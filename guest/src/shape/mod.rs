//! From what ABS answers to what a model needs: kept fields, compact records, clean text, bounded size.

mod clean;
mod decimal;
pub mod episode;
mod fit;
pub mod item;
mod keep;
mod order;
pub mod progress;
mod record;
mod text;
pub mod time;

pub use clean::{clean, clean_text, visible};
pub use decimal::decimal;
pub use fit::{Cut, fit};
pub use keep::{Keep, parse};
pub use order::sort_by;
pub use record::{Record, at, list, text};
pub use text::excerpt;
