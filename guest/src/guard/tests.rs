//! Attacks and answers, without any client or ABS in between.
