//! Several replicas of the server that share one Redis, behind a proxy that gives each connection to the next of them: asked
//! at one, answered at another, done once. And what becomes of that when replicas die.

mod crowd;
mod farm;
mod proxy;
mod redis;
mod story;
mod wire;
