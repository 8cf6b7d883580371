//! The arguments: `--name value`, each at most once.
use std::{net::IpAddr, path::PathBuf};

#[derive(Debug, PartialEq)]
pub struct Options {
    /// The folder that keeps the chain.
    pub data: PathBuf,
    pub bind: IpAddr,
    pub rpc_port: u16,
    pub ws_port: u16,
    /// The address of the account that holds SOL from the start.
    pub fund: Option<String>,
    /// The URL of the chain to fork.
    pub fork_url: Option<String>,
}

impl Options {
    /// Reads the arguments that follow the program's name.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            data: PathBuf::from("data"),
            bind: IpAddr::from([127, 0, 0, 1]),
            rpc_port: 8899,
            ws_port: 8900,
            fund: None,
            fork_url: None,
        };
        let mut arguments = arguments.into_iter();
        while let Some(name) = arguments.next() {
            let value = arguments.next().ok_or(format!("{name} needs a value"))?;
            match name.as_str() {
                "--data" => options.data = value.into(),
                "--bind" => options.bind = read(&name, &value)?,
                "--rpc-port" => options.rpc_port = read(&name, &value)?,
                "--ws-port" => options.ws_port = read(&name, &value)?,
                "--fund" => options.fund = Some(value),
                "--fork-url" => options.fork_url = Some(value),
                _ => return Err(format!("unknown argument {name}")),
            }
        }
        Ok(options)
    }
}

fn read<T: std::str::FromStr>(name: &str, value: &str) -> Result<T, String> {
    value
        .parse()
        .map_err(|_| format!("{name}: {value} cannot be used"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, String> {
        Options::parse(line.split_whitespace().map(String::from))
    }

    #[test]
    fn reads_every_argument() {
        let line =
            "--data /d --bind 0.0.0.0 --rpc-port 1 --ws-port 2 --fund abc --fork-url http://x";
        let options = parse(line).unwrap();
        assert_eq!(options.data, PathBuf::from("/d"));
        assert_eq!(options.bind.to_string(), "0.0.0.0");
        assert_eq!((options.rpc_port, options.ws_port), (1, 2));
        assert_eq!(options.fund.as_deref(), Some("abc"));
        assert_eq!(options.fork_url.as_deref(), Some("http://x"));
    }

    #[test]
    fn names_what_is_wrong() {
        assert!(parse("--rpc-port x").unwrap_err().contains("--rpc-port"));
        assert!(parse("--data").unwrap_err().contains("needs a value"));
        assert!(parse("--other 1").unwrap_err().contains("--other"));
    }
}
