//! Reference pages made from code: who may what, and every stable code.

use std::fmt::Write as _;

use signet_model::{Code, Permission, Role};

use super::access_word;
use crate::route::Route;

/// `docs/auth.md`: roles by permission, and the permission of each route.
pub fn permissions(table: &[Route]) -> String {
    let mut page = String::from(
        "# Permissions\n\nThis page is made from the code that enforces it: \
         `cargo run -p signet-server --example write_reference`.\n\n## Roles\n\n\
         A list of permissions in a token or key narrows its role and never widens it.\n\n| permission |",
    );
    for role in Role::ALL {
        let _ = write!(page, " {} |", role.as_str());
    }
    page.push_str("\n|---|---|---|---|---|\n");
    for permission in Permission::ALL {
        let _ = write!(page, "| {} |", permission.as_str());
        for role in Role::ALL {
            page.push_str(if role.allows(permission) { " x |" } else { " |" });
        }
        page.push('\n');
    }
    page.push_str(
        "\n## Routes\n\n`open` needs no credential; `any` needs a good one of any role.\n\n\
         | route | permission | what it does |\n|---|---|---|\n",
    );
    for route in table {
        let (method, path) = (route.method.as_str(), route.path);
        let _ = writeln!(page, "| {method} {path} | {} | {} |", access_word(route.access), route.doc);
        for alias in route.aliases {
            let _ =
                writeln!(page, "| {method} {alias} | {} | Old name of {path}. |", access_word(route.access));
        }
    }
    page
}

/// `docs/errors.md`: every code with its status, exit code and whether trying again helps.
pub fn codes() -> String {
    let mut page = String::from(
        "# Error codes\n\nThis page is made from the catalogue in `signet-model`: \
         `cargo run -p signet-server --example write_reference`.\n\n\
         A refusal is `{\"error\": \"<sentence>\", \"code\": \"<code>\", \"hint\"?: \"<what to do>\", \
         \"field\"?: \"<request field>\"}`, with further facts beside them.\n\n\
         | code | HTTP status | exit code | trying again helps |\n|---|---|---|---|\n",
    );
    for code in Code::ALL {
        let kind = code.kind();
        let again = if kind.retryable() { "yes" } else { "no" };
        let _ =
            writeln!(page, "| {} | {} | {} | {again} |", code.as_str(), kind.http_status(), kind.exit_code());
    }
    page
}
