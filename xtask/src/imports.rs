//! What a component may import: the promise of the sandbox, read from the built file itself.

use std::fs;

use anyhow::{Context, Result, bail};
use wasmparser::{Parser, Payload};

use crate::workspace;

pub(crate) const HANDLER: &str = "wasi:http/incoming-handler";

/// The names at the outside of a component, as they are written in it.
#[derive(Default)]
pub(crate) struct Interfaces {
    pub(crate) imports: Vec<String>,
    exports: Vec<String>,
}

impl Interfaces {
    pub(crate) fn of(component: &[u8]) -> Result<Self> {
        if !Parser::is_component(component) {
            bail!("not a component");
        }
        let mut interfaces = Self::default();
        let mut depth = 0;
        for payload in Parser::new(0).parse_all(component) {
            match payload.context("not a readable component")? {
                // The modules and components inside are wired up by the outermost one and have no names outside.
                Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => depth += 1,
                Payload::End(_) => depth -= 1,
                Payload::ComponentImportSection(section) if depth == 0 => {
                    for import in section {
                        interfaces.imports.push(import?.name.name.to_owned());
                    }
                }
                Payload::ComponentExportSection(section) if depth == 0 => {
                    for export in section {
                        interfaces.exports.push(export?.name.name.to_owned());
                    }
                }
                _ => {}
            }
        }
        interfaces.imports.sort();
        Ok(interfaces)
    }

    pub(crate) fn handles_http(&self) -> bool {
        self.exports.iter().any(|export| without_version(export) == HANDLER)
    }
}

/// The lines of `wit/imports.txt`.
pub(crate) fn allowed() -> Result<Vec<String>> {
    let path = workspace::root().join("wit").join("imports.txt");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(lines.map(str::to_owned).collect())
}

/// Fails when the component imports what is not in the list, or does not handle HTTP requests.
pub(crate) fn check(interfaces: &Interfaces, allowed: &[String]) -> Result<()> {
    let foreign: Vec<&str> =
        interfaces.imports.iter().map(String::as_str).filter(|import| !is_allowed(import, allowed)).collect();
    if !foreign.is_empty() {
        bail!("the component imports {}, which wit/imports.txt does not allow", foreign.join(" and "));
    }
    if !interfaces.handles_http() {
        bail!("the component does not export {HANDLER}");
    }
    Ok(())
}

fn is_allowed(import: &str, allowed: &[String]) -> bool {
    let interface = without_version(import);
    allowed.iter().any(|line| match line.strip_suffix("/*") {
        Some(package) => interface.split_once('/').is_some_and(|(of, _)| of == package),
        None => line == interface,
    })
}

fn without_version(name: &str) -> &str {
    name.split_once('@').map_or(name, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{ComponentBuilder, ComponentExportKind, ComponentTypeRef, InstanceType};

    use super::*;

    /// A component with empty instances under the given names; with nothing in them it needs no code.
    fn component(imports: &[&str], exports: &[&str]) -> Vec<u8> {
        let mut component = ComponentBuilder::default();
        let ty = component.type_instance(None, &InstanceType::new());
        for import in imports {
            component.import(*import, ComponentTypeRef::Instance(ty));
        }
        let nothing = component.component(None, ComponentBuilder::default());
        for export in exports {
            let instance = component.instantiate(None, nothing, Vec::<(&str, ComponentExportKind, u32)>::new());
            component.export(*export, ComponentExportKind::Instance, instance, None);
        }
        component.finish()
    }

    fn verdict(imports: &[&str], exports: &[&str]) -> Result<()> {
        check(&Interfaces::of(&component(imports, exports))?, &allowed()?)
    }

    #[test]
    fn the_interfaces_of_the_world_are_allowed_in_any_version() {
        let imports = ["wasi:http/types@0.2.3", "wasi:io/streams@0.2.12", "wasi:keyvalue/store@0.2.0-draft2"];
        verdict(&imports, &["wasi:http/incoming-handler@0.2.12"]).unwrap();
    }

    #[test]
    fn a_forbidden_import_is_refused_by_name() {
        for forbidden in [
            "wasi:filesystem/types@0.2.6",
            "wasi:sockets/tcp@0.2.6",
            "wasi:cli/environment@0.2.6",
            // Only names that begin alike:
            "wasi:io-extra/streams@0.2.6",
            "wasi:http/types-extra@0.2.6",
        ] {
            let error = verdict(&["wasi:http/types@0.2.6", forbidden], &["wasi:http/incoming-handler@0.2.6"]);
            assert!(error.unwrap_err().to_string().contains(forbidden), "{forbidden}");
        }
    }

    #[test]
    fn an_import_without_an_interface_is_refused() {
        let error = verdict(&["wasi"], &["wasi:http/incoming-handler@0.2.6"]).unwrap_err();
        assert_eq!(error.to_string(), "the component imports wasi, which wit/imports.txt does not allow");
    }

    #[test]
    fn a_component_without_the_handler_is_refused() {
        let error = verdict(&["wasi:http/types@0.2.6"], &["wasi:cli/run@0.2.6"]).unwrap_err();
        assert_eq!(error.to_string(), "the component does not export wasi:http/incoming-handler");
    }

    #[test]
    fn a_module_is_not_a_component() {
        assert!(Interfaces::of(b"\0asm\x01\0\0\0").is_err());
    }
}
