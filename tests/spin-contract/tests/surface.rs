//! What a component may import, and that the delivered one imports nothing else.

use spin_contract::surface;
use std::path::Path;
use wasm_encoder::{ComponentBuilder, ComponentTypeRef, ComponentValType, InstanceType};
use wasmtime::{Engine, component::Component};

/// A component that imports an interface with these functions, which take and give nothing.
fn importing(interface: &str, functions: &[&str]) -> Vec<u8> {
    let mut instance = InstanceType::new();
    instance.ty().function().params(std::iter::empty::<(&str, ComponentValType)>()).result(None);
    for function in functions {
        instance.export(*function, ComponentTypeRef::Func(0));
    }
    let mut component = ComponentBuilder::default();
    let ty = component.type_instance(None, &instance);
    component.import(interface, ComponentTypeRef::Instance(ty));
    component.finish()
}

fn loads(bytes: &[u8]) -> Result<(), String> {
    let engine = Engine::new(&engine::config()).unwrap();
    let component = Component::new(&engine, bytes).map_err(|error| format!("{error:#}"))?;
    surface::check(&engine, &component).map_err(|error| format!("{error:#}"))?;
    let linker = surface::linker(&engine).map_err(|error| format!("{error:#}"))?;
    linker.instantiate_pre(&component).map(drop).map_err(|error| format!("{error:#}"))
}

#[test]
fn interfaces_under_their_names() {
    for there in [
        "wasi:http/types@0.2.0",
        "wasi:http/types@0.2.12",
        "wasi:cli/environment@0.2.6",
        "wasi:filesystem/preopens@0.2.3",
        "wasi:config/store@0.2.0-draft-2024-09-27",
        "wasi:keyvalue/store@0.2.0-draft2",
        "wasi:keyvalue/atomics@0.2.0-draft2",
    ] {
        assert_eq!(loads(&importing(there, &[])), Ok(()), "{there}");
    }
    for missing in [
        "wasi:config/store@0.2.0-rc.1",
        "wasi:config/store@0.2.0-draft",
        "wasi:keyvalue/store@0.2.0-draft",
        "wasi:keyvalue/watcher@0.2.0-draft2",
        "wasi:http/types@0.3.0",
        "wasi:logging/logging@0.1.0-draft",
        "wasi:blobstore/blobstore@0.2.0-draft",
        "wasi:clocks/timezone@0.2.6",
    ] {
        assert!(loads(&importing(missing, &["get"])).is_err(), "{missing}");
    }
}

/// Later versions of an interface are taken, their later functions are not.
#[test]
fn functions_that_came_later_are_refused() {
    let error = loads(&importing("wasi:http/types@0.2.12", &["brand-new"])).unwrap_err();
    assert!(error.contains("brand-new") && error.contains("4.0.2"), "{error}");
    let error = loads(&importing("wasi:clocks/wall-clock@0.2.12", &["later"])).unwrap_err();
    assert!(error.contains("later"), "{error}");
}

#[test]
fn the_delivered_component_loads() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/component/audiobookshelf_mcp.wasm");
    let bytes = std::fs::read(&file).expect("`cargo xtask component` builds it");
    assert_eq!(loads(&bytes), Ok(()));
}
