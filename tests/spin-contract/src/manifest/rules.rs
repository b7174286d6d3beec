//! What the types of the schema do not say.

use super::{
    AllowedHost, names,
    schema::{Component, Route, Written},
    template::{self, Piece},
};
use std::collections::BTreeMap;

pub(super) fn check(manifest: &Written) -> Vec<String> {
    let mut problems = Vec::new();
    let mut note = |outcome: Result<(), String>| problems.extend(outcome.err());
    note(ensure(manifest.spin_manifest_version == 2, || "spin_manifest_version is not 2".into()));
    note(ensure(!manifest.application.name.trim().is_empty(), || "the application has no name".into()));
    for (name, variable) in &manifest.variables {
        note(ensure(names::is_variable(name), || format!("variable {name}: the name is not lower_snake_case")));
        note(ensure(variable.required != variable.default.is_some(), || {
            format!("variable {name}: either it is required, or it has a default")
        }));
    }
    for (id, component) in &manifest.component {
        note(ensure(names::is_component(id), || format!("component {id}: the name is not kebab-case")));
        for problem in of_component(manifest, component) {
            note(Err(format!("component {id}: {problem}")));
        }
    }
    for problem in of_triggers(manifest) {
        note(Err(problem));
    }
    problems
}

fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

fn of_component(manifest: &Written, component: &Component) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, text) in &component.variables {
        if !names::is_variable(name) {
            problems.push(format!("the name of variable {name} is not lower_snake_case"));
        }
        problems.extend(known_variables(manifest, text).err());
    }
    // Here a template is a mistake: it would reach the component as it stands.
    let plain = component.environment.values().chain(&component.key_value_stores).chain(&component.exclude_files);
    problems.extend(plain.filter(|text| text.contains("{{")).map(|text| format!("{text:?}: no templates here")));
    for entry in &component.allowed_outbound_hosts {
        problems.extend(host(manifest, entry).err());
    }
    problems.extend(
        // Any other label has to be in the runtime configuration.
        component.key_value_stores.iter().filter(|label| *label != "default").map(|label| {
            format!("the key-value store {label:?} is unknown: without a runtime configuration there is \"default\"")
        }),
    );
    problems
}

fn known_variables(manifest: &Written, text: &str) -> Result<(), String> {
    for piece in template::pieces(text)? {
        if let Piece::Variable(name) = piece
            && !manifest.variables.contains_key(name)
        {
            return Err(format!("{text:?} names {name:?}, which the application does not declare"));
        }
    }
    Ok(())
}

/// An entry has to be a host with the defaults in it. One with a variable that is required is only looked at when it has
/// its value.
fn host(manifest: &Written, entry: &str) -> Result<(), String> {
    known_variables(manifest, entry)?;
    let default =
        |(name, variable): (&String, &super::schema::Variable)| Some((name.clone(), variable.default.clone()?));
    let defaults: BTreeMap<String, String> = manifest.variables.iter().filter_map(default).collect();
    match template::render(entry, &defaults) {
        Ok(rendered) => AllowedHost::parse(&rendered).map(drop),
        Err(_) => Ok(()),
    }
}

fn of_triggers(manifest: &Written) -> Vec<String> {
    let mut problems = Vec::new();
    if manifest
        .application
        .trigger
        .get("http")
        .and_then(|http| http.get("base"))
        .is_some_and(|b| b.as_str() != Some("/"))
    {
        problems.push("application.trigger.http.base is not \"/\"".into());
    }
    let mut seen = Vec::new();
    for trigger in &manifest.trigger.http {
        match (&trigger.component, &trigger.static_response) {
            (Some(id), None) if manifest.component.contains_key(id) => {}
            (Some(id), None) => problems.push(format!("a trigger names the component {id}, which is not there")),
            (None, Some(_)) => {}
            _ => problems.push("a trigger has either a component or a static_response".into()),
        }
        let Route::Public(route) = &trigger.route else { continue };
        problems.extend(of_route(route).err());
        if seen.contains(&route) {
            problems.push(format!("the route {route} is there twice"));
        }
        seen.push(route);
    }
    if manifest.trigger.http.is_empty() {
        problems.push("no trigger".into());
    }
    problems
}

fn of_route(route: &str) -> Result<(), String> {
    let refuse = |why: &str| Err(format!("the route {route:?} {why}"));
    if !route.starts_with('/') {
        return refuse("does not begin with /");
    }
    if route.contains("{{") {
        return refuse("has a template, and routes take none");
    }
    if route.strip_suffix("/...").unwrap_or(route).contains("...") {
        return refuse("has ... in another place than its end");
    }
    if route.starts_with("/.well-known/spin/") {
        return refuse("belongs to Spin");
    }
    Ok(())
}
