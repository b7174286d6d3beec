//! Numbers as plain decimals.

use serde_json::Number;

/// The shortest text that reads as this number, without an exponent and without a fraction that is zero. By way of the JSON
/// writer, which is in the component anyway: the standard library's has ten kilobytes of its own.
pub fn decimal(number: f64) -> String {
    let text = Number::from_f64(number).map_or_else(String::new, |number| number.to_string());
    let Some((digits, exponent)) = text.split_once('e') else {
        return text.strip_suffix(".0").unwrap_or(&text).to_owned();
    };
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |digits| ("-", digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = if fraction == "0" { "" } else { fraction };
    // The writer's own: one digit before the point, and an exponent that fits.
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let places = exponent.unsigned_abs() as usize;
    if exponent < 0 {
        format!("{sign}0.{}{whole}{fraction}", "0".repeat(places - 1))
    } else {
        format!("{sign}{whole}{fraction}{}", "0".repeat(places.saturating_sub(fraction.len())))
    }
}

#[cfg(test)]
mod tests {
    use super::decimal;

    #[test]
    fn as_the_standard_library_writes() {
        let numbers = [
            0.0,
            1.0,
            -1.0,
            0.5,
            0.1,
            100.0,
            1234.5678,
            1e15,
            1e16,
            1.5e16,
            1e17,
            123_456_789_012_345_680.0,
            1e21,
            1.25e22,
            1e300,
            f64::MAX,
            1e-4,
            1e-5,
            1.5e-5,
            1e-7,
            -2.5e-7,
            1.234_567e-9,
            f64::MIN_POSITIVE,
            5e-324,
            1.0 / 3.0,
            2.0 / 3.0,
        ];
        for number in numbers {
            assert_eq!(decimal(number), number.to_string());
        }
        let bits = |n: u64| f64::from_bits(n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for number in (0..20_000).map(bits).filter(|number| number.is_finite()) {
            // Of two that are as short and as near, each may take another.
            let (text, other) = (decimal(number), number.to_string());
            assert_eq!((text.len(), text.parse()), (other.len(), Ok(number)), "{text} {other}");
            assert!(!text.contains('e'), "{text}");
        }
    }
}
