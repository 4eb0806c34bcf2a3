//! Numbers. Each function returns the rule that a wrong value breaks.

use super::Checked;
use super::sent::Sent;

/// A whole number in the range, else refused; `12.0` is whole.
pub(super) fn int(sent: &Sent<'_>, min: i64, max: i64) -> Result<Checked, String> {
    let whole = match sent {
        Sent::Body(value) => value.as_i64().or_else(|| value.as_f64().and_then(whole_part)),
        Sent::Query(text) => text.trim().parse().ok(),
    };
    match whole {
        Some(n) if (min..=max).contains(&n) => Ok(Checked::Int(n)),
        _ => Err(format!("must be a whole number from {min} to {max}")),
    }
}

fn whole_part(n: f64) -> Option<i64> {
    // 2^53: beyond it a float no longer says which whole number was meant.
    (n.fract() == 0.0 && n.abs() <= 9_007_199_254_740_992.0).then_some(n as i64)
}

/// Any number, rounded down and moved into the range.
pub(super) fn clamped(sent: &Sent<'_>, min: i64, max: i64) -> Result<Checked, String> {
    let n = finite(sent).ok_or("must be a number")?;
    // A float cast saturates, so numbers beyond i64 land on the nearest end of the range.
    Ok(Checked::Int((n.floor() as i64).clamp(min, max)))
}

/// A number in the range, else refused.
pub(super) fn number(sent: &Sent<'_>, min: f64, max: f64) -> Result<Checked, String> {
    match finite(sent) {
        Some(n) if (min..=max).contains(&n) => Ok(Checked::Number(n)),
        _ => Err(format!("must be a number from {min} to {max}")),
    }
}

fn finite(sent: &Sent<'_>) -> Option<f64> {
    let n = match sent {
        Sent::Body(value) => value.as_f64(),
        Sent::Query(text) => text.trim().parse::<f64>().ok(),
    };
    n.filter(|n| n.is_finite())
}
