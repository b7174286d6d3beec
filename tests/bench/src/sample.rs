//! Times that were measured, and what is said of them.

use std::time::Duration;

#[derive(Clone, Debug, Default)]
pub struct Sample(Vec<Duration>);

impl Sample {
    pub fn push(&mut self, time: Duration) {
        self.0.push(time);
    }

    pub fn extend(&mut self, other: Sample) {
        self.0.extend(other.0);
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn median(&self) -> Duration {
        self.quantile(0.5)
    }

    /// The time that so large a part of all stay below. Zero of nothing.
    pub fn quantile(&self, part: f64) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let place = (part * sorted.len() as f64) as usize;
        sorted.get(place.min(sorted.len().saturating_sub(1))).copied().unwrap_or_default()
    }
}

pub fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

pub fn microseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// The middle one; of an even number the upper.
pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles() {
        let mut sample = Sample::default();
        assert_eq!(sample.median(), Duration::ZERO);
        for n in (1..=100).rev() {
            sample.push(Duration::from_millis(n));
        }
        for (part, want) in [(0.0, 1), (0.5, 51), (0.9, 91), (0.99, 100), (1.0, 100)] {
            assert_eq!(sample.quantile(part), Duration::from_millis(want), "{part}");
        }
        assert!((median(vec![3.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
    }
}
