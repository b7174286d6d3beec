//! The settings as flags, made from their table.

use crate::{
    environment::{Environment, Source},
    settings::table::{Kind, SETTINGS, Scope, Setting},
};
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};

/// Those that were given.
#[derive(Clone, Debug, Default)]
pub struct SettingFlags(Vec<(&'static str, String)>);

impl SettingFlags {
    pub fn environment(self) -> Environment {
        Environment::from(Source::Flag, self.0)
    }
}

impl Args for SettingFlags {
    fn augment_args(command: Command) -> Command {
        command.args(SETTINGS.iter().map(arg))
    }

    fn augment_args_for_update(command: Command) -> Command {
        SettingFlags::augment_args(command)
    }
}

impl FromArgMatches for SettingFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SettingFlags, Error> {
        let given = |setting: &Setting| Some((setting.flag_name(), matches.get_one::<String>(setting.flag)?.clone()));
        Ok(SettingFlags(SETTINGS.iter().filter_map(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = SettingFlags::from_arg_matches(matches)?;
        Ok(())
    }
}

fn arg(setting: &'static Setting) -> Arg {
    let heading = match setting.scope {
        Scope::All => "Settings",
        Scope::Serve => "Settings of serve",
    };
    let arg = Arg::new(setting.flag).long(setting.flag).value_name(setting.takes).help_heading(heading).global(true);
    let arg = match setting.kind {
        Kind::Switch => arg.num_args(0..=1).require_equals(true).default_missing_value("true"),
        Kind::Text | Kind::File | Kind::Secret { .. } => arg,
    };
    arg.help(setting.help).long_help(long_help(setting))
}

fn long_help(setting: &Setting) -> String {
    let more = if setting.more.is_empty() { String::new() } else { format!(". {}", setting.more) };
    let default = if setting.default.is_empty() { String::new() } else { format!(" [default: {}]", setting.default) };
    let variable = match setting.kind {
        Kind::Secret { file } => format!("{file}, or {} with the secret itself", setting.name),
        _ => setting.name.to_owned(),
    };
    format!("{}{more}{default}\n[variable: {variable}]", setting.help)
}
