//! The protocol end to end, natively, with a world that answers nothing.
