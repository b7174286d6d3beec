//! Routes of the HTTP trigger: `/exact` and `/below/...`.

use super::schema::{Route, Written};

#[derive(Debug)]
pub struct Routes(Vec<String>);

/// What of a path a route matched.
#[derive(Debug, PartialEq, Eq)]
pub struct Match<'a> {
    pub route: &'a str,
    /// What `...` stands for.
    pub rest: &'a str,
}

impl Routes {
    pub fn of(manifest: &Written, component: &str) -> Routes {
        let of_this = manifest.trigger.http.iter().filter(|trigger| trigger.component.as_deref() == Some(component));
        let mut routes: Vec<String> = of_this
            .filter_map(|trigger| match &trigger.route {
                Route::Public(route) => Some(route.clone()),
                Route::Private { .. } => None,
            })
            .collect();
        // The longest one that fits.
        routes.sort_by_key(|route| std::cmp::Reverse(route.len()));
        Routes(routes)
    }

    pub fn find<'a>(&'a self, path: &'a str) -> Option<Match<'a>> {
        self.0.iter().find_map(|route| {
            let rest = match route.strip_suffix("/...") {
                Some(base) => path.strip_prefix(base).filter(|rest| rest.is_empty() || rest.starts_with('/'))?,
                None => (path == route).then_some("")?,
            };
            Some(Match { route, rest })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wildcard_matches_its_base_too() {
        let routes = Routes(vec!["/mcp/...".into(), "/healthz".into()]);
        for (path, want) in [
            ("/mcp", Some(("/mcp/...", ""))),
            ("/mcp/", Some(("/mcp/...", "/"))),
            ("/mcp/a/b", Some(("/mcp/...", "/a/b"))),
            ("/mcpx", None),
            ("/", None),
            ("/healthz", Some(("/healthz", ""))),
            ("/healthz/", None),
        ] {
            assert_eq!(routes.find(path), want.map(|(route, rest)| Match { route, rest }), "{path}");
        }
    }
}
