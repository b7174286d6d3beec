//! What the formats say about the members of an object.

use serde_json::Value;

/// These and no others.
#[track_caller]
pub fn exact(value: &Value, names: &[&str]) {
    members(value, names, &[]);
}

/// All of the former, any of the latter, and no others.
#[track_caller]
pub fn members(value: &Value, required: &[&str], optional: &[&str]) {
    let object = value.as_object().unwrap_or_else(|| panic!("no object: {value}"));
    for name in required {
        assert!(object.contains_key(*name), "{name} is missing in {value}");
    }
    for name in object.keys() {
        assert!(required.contains(&name.as_str()) || optional.contains(&name.as_str()), "{name} is unknown in {value}");
    }
}
