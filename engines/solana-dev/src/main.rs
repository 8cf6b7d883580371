//! solana-dev: a light Solana node on the crate surfpool-core. It runs programs on Solana's own virtual machine, keeps
//! the chain in SQLite and, as a fork, reads each account at its source when it is first used.
mod chain;
mod options;
mod relay;

use std::{collections::BTreeMap, env, process::exit, thread};

use surfpool_core::{
    solana_account::Account,
    start_local_surfnet,
    surfnet::svm::{SurfnetSvm, SurfnetSvmConfig},
};
use surfpool_types::{
    BlockProductionMode, RpcConfig, SimnetCommand, SimnetConfig, SimnetEvent, SurfpoolConfig,
};

use crate::{chain::Chain, options::Options, relay::Relay};

const SLOT_MS: u64 = 400;
/// What the first account of a test validator has: 500,000,000 SOL.
const FUNDS: u64 = 500_000_000 * 1_000_000_000;

fn die(why: &str) -> ! {
    eprintln!("solana-dev: {why}");
    exit(1)
}

fn main() {
    let options = Options::parse(env::args().skip(1)).unwrap_or_else(|error| die(&error));
    let chain = Chain::open(&options.data).unwrap_or_else(|error| die(&error));
    let source = options
        .fork_url
        .as_deref()
        .map(|url| Relay::start(url, !chain.is_new).unwrap_or_else(|error| die(&error)));
    let config = config_of(
        &options,
        &chain,
        source.as_ref().map(|(_, url)| url.clone()),
    );
    let database = chain.database();
    let (mut svm, events, geyser) = SurfnetSvm::new_with_db(database.to_str(), svm_config())
        .unwrap_or_else(|error| die(&format!("{}: {error}", database.display())));
    if let (true, Some(address)) = (chain.is_new, &options.fund) {
        let address = address
            .parse()
            .unwrap_or_else(|_| die("--fund: not an address"));
        let account = Account {
            lamports: FUNDS,
            ..Account::default()
        };
        svm.set_account(&address, account)
            .unwrap_or_else(|error| die(&format!("--fund: {error}")));
    }
    let (commands, received) = crossbeam_channel::unbounded();
    let stop = commands.clone();
    ctrlc::set_handler(move || drop(stop.send(SimnetCommand::Terminate(None))))
        .unwrap_or_else(|error| die(&error.to_string()));
    let relay = source.map(|(relay, _)| relay);
    let starting = relay.clone();
    thread::spawn(move || {
        for event in events {
            match event {
                SimnetEvent::CoreStarted(_) => {
                    if chain.is_new {
                        chain
                            .begin()
                            .unwrap_or_else(|error| die(&error.to_string()));
                    }
                    relay.iter().for_each(|relay| relay.node_has_started());
                    println!("ready");
                }
                SimnetEvent::ErrorLog(_, message) => eprintln!("error {message}"),
                SimnetEvent::WarnLog(_, message) => eprintln!("warn {message}"),
                _ => {}
            }
        }
    });
    let node = start_local_surfnet(svm, config, commands, received, geyser);
    if let Err(error) = hiro_system_kit::nestable_block_on(node) {
        // Surfpool says no more than that a request has failed.
        let reason = starting.and_then(|relay| relay.why_not_started());
        die(&reason.map_or(error.to_string(), |reason| {
            format!("error: the fork source: {reason}")
        }));
    }
}

/// Profiles of instructions would be kept for every transaction, for nobody.
fn svm_config() -> SurfnetSvmConfig {
    SurfnetSvmConfig {
        slot_time: SLOT_MS,
        instruction_profiling_enabled: false,
        ..SurfnetSvmConfig::default()
    }
}

fn config_of(options: &Options, chain: &Chain, source: Option<String>) -> SurfpoolConfig {
    let genesis_hash = chain
        .genesis_hash
        .parse()
        .unwrap_or_else(|_| die("the genesis hash is damaged"));
    let simnet = SimnetConfig {
        offline_mode: source.is_none(),
        remote_rpc_url: source,
        slot_time: SLOT_MS,
        block_production_mode: BlockProductionMode::Clock,
        instruction_profiling_enabled: false,
        snapshot: BTreeMap::new(),
        genesis_hash: Some(genesis_hash),
        ..SimnetConfig::default()
    };
    SurfpoolConfig {
        simnets: vec![simnet],
        rpc: RpcConfig {
            bind_host: options.bind.to_string(),
            bind_port: options.rpc_port,
            ws_port: options.ws_port,
            ..RpcConfig::default()
        },
        ..SurfpoolConfig::default()
    }
}
