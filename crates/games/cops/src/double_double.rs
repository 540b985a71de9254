//! Numbers of about 32 digits, each the unevaluated sum of two floating-point numbers (Dekker 1971).

use std::ops::{Add, Div, Mul, Sub};

/// A number as the sum of a floating-point number and what that lacks.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct DoubleDouble {
    high: f64,
    low: f64,
}

impl DoubleDouble {
    /// The exact sum of two numbers (Knuth's two-sum).
    fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let back = high - a;
        Self { high, low: (a - (high - back)) + (b - back) }
    }

    /// The exact product of two numbers, by halves of 26 bits.
    fn product(a: f64, b: f64) -> Self {
        let high = a * b;
        let (a, a_rest) = halves(a);
        let (b, b_rest) = halves(b);
        Self { high, low: ((a * b - high) + a * b_rest + a_rest * b) + a_rest * b_rest }
    }
}

/// A number as the sum of two that take 26 bits each (Veltkamp's splitting).
fn halves(number: f64) -> (f64, f64) {
    // 2²⁷ + 1.
    let scaled = number * 134_217_729.0;
    let high = scaled - (scaled - number);
    (high, number - high)
}

impl From<f64> for DoubleDouble {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

impl From<DoubleDouble> for f64 {
    fn from(number: DoubleDouble) -> Self {
        number.high
    }
}

impl Add for DoubleDouble {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let rest = Self::sum(self.low, other.low);
        let sum = Self::sum(self.high, other.high);
        let sum = Self::sum(sum.high, sum.low + rest.high);
        Self::sum(sum.high, sum.low + rest.low)
    }
}

impl Sub for DoubleDouble {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + Self { high: -other.high, low: -other.low }
    }
}

impl Mul for DoubleDouble {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let product = Self::product(self.high, other.high);
        let rest = self.high * other.low + self.low * other.high;
        Self::sum(product.high, product.low + rest)
    }
}

impl Div for DoubleDouble {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let quotient = Self::from(self.high / other.high);
        let rest = self - quotient * other;
        let more = Self::from(rest.high / other.high);
        let rest = rest - more * other;
        quotient + more + Self::from(rest.high / other.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirty_digits_are_kept() {
        let number = |value: f64| DoubleDouble::from(value);
        let tiny = number(1e-25);
        let near = number(1.0) + tiny;
        assert!(near > number(1.0) && f64::from(near) == 1.0);
        assert_eq!(f64::from(near - number(1.0)), 1e-25);
        // (1 + d)² = 1 + 2 d + d², where d² is too small to be kept.
        let square = near * near - number(1.0);
        assert!((f64::from(square) / 2e-25 - 1.0).abs() < 1e-6, "{square:?}");
        let third = number(1.0) / number(3.0);
        let lacks = number(1.0) - (third + third + third);
        assert!(f64::from(lacks).abs() < 1e-31, "{lacks:?}");
        assert_eq!(f64::from(number(0.1) * number(10.0) - number(1.0)), 5.551115123125783e-17);
    }
}
