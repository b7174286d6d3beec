//! `spin.toml` as delivered, and manifests that are broken in one place each.

use spin_contract::manifest::{AllowedHost, Manifest, schema::Commands};
use std::{collections::BTreeMap, fs, path::Path};

fn delivered() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spin.toml")).unwrap()
}

fn resolved(given: &[(&str, &str)]) -> spin_contract::manifest::Resolved {
    let manifest = Manifest::parse(&delivered()).unwrap();
    let value = |name: &str| given.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
    manifest.resolve(Path::new("/somewhere"), &manifest.values(value).unwrap()).unwrap()
}

#[test]
fn the_delivered_manifest_keeps_all_rules() {
    let manifest = Manifest::parse(&delivered()).unwrap_or_else(|problems| panic!("{problems:?}"));
    let written = manifest.written();
    let component = &written.component["audiobookshelf-mcp"];
    for name in ["origin", "base_path", "api_key", "read_only", "allow_tools", "deny_tools", "elicitation", "mcp_token"]
    {
        assert!(written.variables.contains_key(name), "{name}");
    }
    for (name, variable) in &written.variables {
        assert_eq!(component.variables.get(name), Some(&format!("{{{{ {name} }}}}")), "{name} reaches the component");
        assert_eq!(variable.secret, matches!(name.as_str(), "api_key" | "mcp_token"), "{name}");
        assert!(variable.description.is_some(), "{name}");
        // Nothing is required, so that it starts and can say what is missing.
        assert!(!variable.required, "{name}");
    }
    assert_eq!(component.variables.len(), written.variables.len(), "nothing else");
    let build = component.build.as_ref().expect("it can be built");
    assert!(matches!(&build.command, Commands::One(command) if command == "cargo xtask component"));
    assert_eq!((&component.files.len(), component.environment.len()), (&0, 0), "no files, no environment");
}

#[test]
fn what_spin_makes_of_it() {
    let unset = resolved(&[]);
    assert_eq!(unset.source, Path::new("/somewhere/target/component/audiobookshelf_mcp.wasm"));
    assert_eq!(unset.stores, ["default"]);
    assert_eq!((unset.config["origin"].as_str(), unset.config["api_key"].as_str()), ("http://unset.invalid", ""));
    for (path, reached) in [("/mcp", true), ("/mcp/", true), ("/healthz", true), ("/", false), ("/metrics", false)] {
        assert_eq!(unset.routes.find(path).is_some(), reached, "{path}");
    }
}

#[test]
fn exactly_the_origin_is_let_out() {
    for (origin, inside, outside) in [
        ("https://abs.example.com", "https://abs.example.com/api/me", "http://abs.example.com/api/me"),
        ("http://192.0.2.7:13378", "http://192.0.2.7:13378/api/me", "http://192.0.2.7/api/me"),
        ("http://[::1]:80", "http://[::1]/api/me", "http://127.0.0.1/api/me"),
        // The base path is a variable of its own, and no part of what is let out.
        ("https://example.com", "https://example.com/audiobookshelf/api/me", "https://other.example.com/api/me"),
    ] {
        let resolved = resolved(&[("origin", origin), ("base_path", "/audiobookshelf")]);
        let hosts = resolved.allowed_hosts.expect("all entries are hosts");
        assert_eq!(hosts, [AllowedHost::parse(origin).unwrap()], "{origin} and nothing else");
        assert!(hosts[0].allows(&inside.parse().unwrap()), "{inside}");
        assert!(!hosts[0].allows(&outside.parse().unwrap()), "{outside}");
        assert_eq!(
            (resolved.config["origin"].as_str(), resolved.config["base_path"].as_str()),
            (origin, "/audiobookshelf")
        );
    }
    for wrong in ["", "abs.example.com", "https://example.com/audiobookshelf", "http://[::1]"] {
        assert!(resolved(&[("origin", wrong)]).allowed_hosts.is_none(), "{wrong:?} lets nothing out");
    }
}

/// Each row breaks one thing, and the sentence names it.
#[test]
fn broken_manifests_are_refused() {
    for (what, old, new, says) in [
        ("another version", "spin_manifest_version = 2", "spin_manifest_version = 3", "spin_manifest_version"),
        ("no version", "spin_manifest_version = 2", "", "spin_manifest_version"),
        ("an unknown field at the top", "[variables]", "[variable]", "unknown field `variable`"),
        ("an unknown field of the application", "version = \"0.1.0\"", "licence = \"MIT\"", "unknown field `licence`"),
        ("an unknown field of a variable", "read_only = { default", "read_only = { value = \"\", default", "`value`"),
        ("a name with a dash", "read_only = { ", "read-only = { ", "lower_snake_case"),
        ("a name in capitals", "read_only = { ", "READ_ONLY = { ", "lower_snake_case"),
        ("two underscores", "read_only = { ", "read__only = { ", "lower_snake_case"),
        ("neither default nor required", "read_only = { default = \"\", ", "read_only = { ", "either it is required"),
        ("both", "read_only = { ", "read_only = { required = true, ", "either it is required"),
        ("a default that is no text", "read_only = { default = \"\"", "read_only = { default = false", "string"),
        ("an undeclared variable", "api_key = \"{{ api_key }}\"", "api_key = \"{{ key }}\"", "does not declare"),
        ("half a template", "api_key = \"{{ api_key }}\"", "api_key = \"{{ api_key\"", "without }}"),
        ("an empty default of the origin", "default = \"http://unset.invalid\"", "default = \"\"", "no scheme"),
        ("a default with a path", "http://unset.invalid", "http://unset.invalid/x", "a path"),
        ("a host without a scheme", "[\"{{ origin }}\"]", "[\"abs.example.com\"]", "no scheme"),
        ("all hosts, in the old way", "[\"{{ origin }}\"]", "[\"insecure:allow-all\"]", "no scheme"),
        ("a list of hosts", "[\"{{ origin }}\"]", "[\"https://{a,b}\"]", "lists"),
        ("a component variable as host", "[\"{{ origin }}\"]", "[\"{{ base }}\"]", "does not declare"),
        ("an unknown store", "[\"default\"]", "[\"approvals\"]", "\"approvals\" is unknown"),
        ("an unknown component", "component = \"audiobookshelf-mcp\"", "component = \"mcp\"", "not there"),
        (
            "a component and a response",
            "route = \"/healthz\"",
            "route = \"/healthz\"\nstatic_response = {}",
            "either a",
        ),
        ("a route twice", "route = \"/healthz\"", "route = \"/mcp/...\"", "twice"),
        ("a route without its slash", "route = \"/healthz\"", "route = \"healthz\"", "begin with /"),
        ("a wildcard in the middle", "route = \"/mcp/...\"", "route = \"/.../mcp\"", "than its end"),
        ("a route of Spin's", "route = \"/healthz\"", "route = \"/.well-known/spin/health\"", "belongs to Spin"),
        ("a template in a route", "route = \"/healthz\"", "route = \"/{{ origin }}\"", "no"),
        (
            "a template in the environment",
            "key_value_stores",
            "environment = { O = \"{{ origin }}\" }\nkey_value_stores",
            "no templates",
        ),
        ("a component in snake case", "[component.audiobookshelf-mcp]", "[component.audiobookshelf_mcp]", ""),
        ("a build without a command", "command = \"cargo xtask component\"", "", "command"),
        ("a source that is nothing", "source = \"target", "source = { file = \"target\" }\n# \"", ""),
        ("no trigger", "[[trigger.http]]", "[[trigger.cron]]", "unknown field `cron`"),
    ] {
        let text = delivered();
        assert!(text.contains(old), "{what}: {old}");
        let problems = Manifest::parse(&text.replace(old, new)).err().unwrap_or_default();
        assert!(!problems.is_empty(), "{what}");
        assert!(problems.iter().any(|problem| problem.contains(says)), "{what}: {problems:?}");
    }
}

#[test]
fn required_variables_need_a_value() {
    let text = delivered().replace("api_key = { default = \"\", ", "api_key = { required = true, ");
    let manifest = Manifest::parse(&text).unwrap();
    assert!(manifest.values(|_| None).unwrap_err().contains("api_key"));
    let values: BTreeMap<_, _> = manifest.values(|name| (name == "api_key").then(|| "k".to_owned())).unwrap();
    assert_eq!(values["api_key"], "k");
}
