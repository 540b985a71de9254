//! The limits of a search, as arguments.

/// More memory than any machine that this runs on has, in MiB.
const MOST_MEMORY: u64 = 1 << 20;
/// A longer time is no limit, in seconds.
const MOST_SECONDS: f64 = 86_400.0;

/// Reads an amount of memory, such as `2GB`, `512MiB` or `1.5GiB`, in bytes. A number alone counts MiB.
pub fn memory(text: &str) -> Result<usize, String> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "mib" => 1 << 20,
        "mb" => 1_000_000,
        "gib" => 1 << 30,
        "gb" => 1_000_000_000,
        _ => 0,
    };
    let bytes = number.parse::<f64>().ok().map(|number| number * f64::from(unit));
    let least = f64::from(1 << 20);
    let most = (MOST_MEMORY << 20) as f64;
    match bytes {
        Some(bytes) if unit > 0 && (1e6..=most).contains(&bytes) => {
            // Beyond this no machine can go.
            Ok(usize::try_from(bytes.max(least) as u64).unwrap_or(usize::MAX))
        }
        _ => Err(format!(
            "'{text}' is not an amount of memory: write 1MB to 1048576MiB, such as 512MB or 2GB"
        )),
    }
}

/// Reads a number of seconds, such as `60` or `0.5`.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(seconds) if (0.001..=MOST_SECONDS).contains(&seconds) => Ok(seconds),
        _ => Err(format!("'{text}' is not a time: write 0.001 to {MOST_SECONDS} seconds")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_memory_have_units() {
        for (text, bytes) in [
            ("2GB", 2_000_000_000),
            ("2gb", 2_000_000_000),
            ("1.5 GiB", 3 << 29),
            ("512MiB", 512 << 20),
            ("512", 512 << 20),
            ("1MB", 1 << 20),
            ("1048576", 1 << 40),
        ] {
            assert_eq!(memory(text), Ok(bytes), "{text}");
        }
        for text in
            ["", "0", "2TB", "GB", "-1GB", "1e3MB", "1.2.3GB", "0.5MB", "1048577", "inf", "nan"]
        {
            assert!(memory(text).unwrap_err().contains("such as 512MB"), "{text}");
        }
    }

    #[test]
    fn seconds_have_a_range() {
        assert_eq!((seconds("60"), seconds("0.5")), (Ok(60.0), Ok(0.5)));
        for text in ["", "0", "-1", "nan", "inf", "86401", "1m"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
