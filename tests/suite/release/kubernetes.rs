//! The manifest for a cluster. There is none here: what it starts is compared with the program.

use super::{fits, packaged, the_program_takes};
use crate::{clients::yaml, harness::Http};
use serde_json::{Value, json};

const TOKEN: &str = "a-token-of-the-suite-0123456789";

fn documents() -> Vec<Value> {
    packaged("kubernetes/audiobookshelf-mcp.yaml").split("\n---\n").map(yaml).collect()
}

fn of_kind(kind: &str) -> Value {
    let mut found = documents().into_iter().filter(|document| document["kind"] == kind);
    found.next().unwrap_or_else(|| panic!("no {kind}"))
}

fn list(value: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    value.as_array().expect("a list").iter().map(text).collect()
}

#[tokio::test]
async fn the_deployment_starts_the_program_with_secrets_from_files() {
    let deployment = of_kind("Deployment");
    let pod = &deployment["spec"]["template"]["spec"];
    let container = &pod["containers"][0];
    let arguments = list(&container["args"]);
    let pair = |entry: &Value| {
        let text = |name: &str| entry[name].as_str().expect("text").to_owned();
        (text("name"), text("value"))
    };
    let settings: Vec<(String, String)> = container["env"].as_array().expect("env").iter().map(pair).collect();
    the_program_takes("kubernetes", &arguments, &settings).await;
    fits("kubernetes", &arguments, 1024);
    assert_eq!(container["resources"]["limits"]["memory"], "1Gi");
    let (mount, volume) = (&container["volumeMounts"][0], &pod["volumes"][0]);
    assert_eq!(mount["name"], volume["name"]);
    for (name, path) in settings.iter().filter(|(name, _)| name.ends_with("_FILE")) {
        assert!(path.starts_with(mount["mountPath"].as_str().expect("a path")), "{name} is not where the secrets are");
    }
    let port = arguments[2].rsplit(':').next().and_then(|port| port.parse::<u64>().ok());
    assert_eq!(container["ports"][0], json!({"name": "http", "containerPort": port}));
    assert!(container["image"].as_str().is_some_and(|image| image.ends_with(env!("CARGO_PKG_VERSION"))));
}

#[test]
fn the_pod_has_no_rights_that_it_does_not_need() {
    let deployment = of_kind("Deployment");
    let pod = &deployment["spec"]["template"]["spec"];
    let container = &pod["containers"][0]["securityContext"];
    for (value, want, why) in [
        (&deployment["spec"]["replicas"], json!(1), "another would not know which approvals were used"),
        (&deployment["spec"]["strategy"]["type"], json!("Recreate"), "nor would a second one for a moment"),
        (&pod["securityContext"]["runAsNonRoot"], json!(true), "not root"),
        (&pod["securityContext"]["runAsUser"], json!(65532), "as in the image"),
        (&pod["securityContext"]["seccompProfile"]["type"], json!("RuntimeDefault"), "calls to the kernel"),
        (&pod["automountServiceAccountToken"], json!(false), "it has nothing to ask of the cluster"),
        (&pod["enableServiceLinks"], json!(false), "AUDIOBOOKSHELF_MCP_PORT is no setting"),
        (&container["readOnlyRootFilesystem"], json!(true), "it writes no files"),
        (&container["allowPrivilegeEscalation"], json!(false), "ever"),
        (&container["capabilities"]["drop"], json!(["ALL"]), "it needs none"),
        (&pod["volumes"][0]["secret"]["defaultMode"], json!(0o440), "for its group"),
    ] {
        assert_eq!(*value, want, "{why}");
    }
}

/// A probe has the address of the pod as `Host`, and no token.
#[tokio::test]
async fn the_probes_are_answered() {
    let server = Http::start(&[("AUDIOBOOKSHELF_MCP_TOKEN", TOKEN), ("AUDIOBOOKSHELF_ALLOWED_HOSTS", "mcp")]).await;
    let container = of_kind("Deployment")["spec"]["template"]["spec"]["containers"][0].take();
    for probe in ["startupProbe", "livenessProbe", "readinessProbe"] {
        let get = &container[probe]["httpGet"];
        assert_eq!(get["port"], "http");
        let path = get["path"].as_str().expect("a path");
        let reply = server.send("GET", path, &[("host", "10.1.2.3:8787")], "").await;
        assert_eq!(reply.status, 200, "{probe}");
    }
    let reply = server.send("GET", "/", &[("host", "10.1.2.3:8787")], "").await;
    assert_ne!(reply.status, 200, "another path is not answered like this");
}

#[test]
fn the_service_and_the_policy_are_about_the_same_pods() {
    let labels = of_kind("Deployment")["spec"]["template"]["metadata"]["labels"].take();
    let policy = of_kind("NetworkPolicy")["spec"].take();
    assert_eq!(of_kind("Deployment")["spec"]["selector"]["matchLabels"], labels);
    assert_eq!(of_kind("Service")["spec"]["selector"], labels);
    assert_eq!(policy["podSelector"]["matchLabels"], labels);
    assert_eq!(policy["policyTypes"], json!(["Ingress", "Egress"]));
    assert_eq!(policy["ingress"][0]["ports"], json!([{"protocol": "TCP", "port": "http"}]));
    let reached: Vec<&Value> = policy["egress"].as_array().expect("a list").iter().map(|rule| &rule["ports"]).collect();
    let names = json!([{"protocol": "UDP", "port": 53}, {"protocol": "TCP", "port": 53}]);
    assert_eq!(reached, [&json!([{"protocol": "TCP", "port": 80}]), &names], "Audiobookshelf and the name server");
    assert!(policy["egress"].as_array().expect("a list").iter().all(|rule| rule["to"][0]["podSelector"].is_object()));
}
