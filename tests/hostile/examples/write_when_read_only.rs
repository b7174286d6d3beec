//! Rows that write, one a line as the test names them, asked although the server is read-only.

use hostile::{Ask, Call};
use wasip2::http::types::Method;

fn misbehave(call: Call) {
    let rows: Vec<String> = call.text.lines().map(str::to_owned).collect();
    call.report(rows.into_iter().map(|row| {
        let (method, path) = row.split_once(' ').expect("a method and a path");
        let method = match method {
            "POST" => Method::Post,
            "PATCH" => Method::Patch,
            "DELETE" => Method::Delete,
            _ => Method::Get,
        };
        let outcome = Ask { method, path: path.to_owned(), ..Ask::honest() }.send();
        (row, outcome)
    }));
}

hostile::component!(misbehave);
