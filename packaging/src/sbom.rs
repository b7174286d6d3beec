//! The list of what is inside, as CycloneDX 1.6.

use crate::{
    NAME, VERSION,
    packages::{Package, Packages},
    pretty,
};
use serde_json::{Value, json};

pub(crate) fn file(packages: &Packages, target: &str) -> Vec<u8> {
    let program = format!("{NAME}@{VERSION}");
    let components: Vec<Value> = packages.values().filter(|package| package.key() != program).map(component).collect();
    let dependencies: Vec<Value> = packages
        .values()
        .map(|package| {
            let needs: Vec<String> = package.needs.iter().map(|key| reference(&packages[key])).collect();
            json!({"ref": reference(package), "dependsOn": needs})
        })
        .collect();
    pretty(&json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": program,
                "name": NAME,
                "version": VERSION,
                "licenses": [{"expression": "MIT OR Apache-2.0"}],
                "properties": [{"name": "cargo:target", "value": target}],
            },
        },
        "components": components,
        "dependencies": dependencies,
    }))
}

fn component(package: &Package) -> Value {
    let mut component = json!({
        "type": "library",
        "bom-ref": reference(package),
        "name": package.name,
        "version": package.version,
        "scope": if package.shipped { "required" } else { "excluded" },
    });
    if let Some(license) = &package.license {
        component["licenses"] = json!([{"expression": license}]);
    }
    // Ours are in no registry, where the same names may be somebody else's.
    if let Some(sha256) = &package.sha256 {
        component["purl"] = reference(package).into();
        component["hashes"] = json!([{"alg": "SHA-256", "content": sha256}]);
    }
    component
}

fn reference(package: &Package) -> String {
    match package.sha256 {
        // The one character of a version that means something else in an address.
        Some(_) => format!("pkg:cargo/{}", package.key().replace('+', "%2B")),
        None => package.key(),
    }
}
