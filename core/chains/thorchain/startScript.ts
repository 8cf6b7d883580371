import { placeholders } from './genesis.ts';

export const scriptPath = '/etc/slipway/start.sh';
export const genesisPath = '/etc/slipway/genesis.json';

/**
 * Creates the validator's keys and the genesis once, where the chain's data is stored, and runs the node. It needs only `sh`
 * and thornode, so that every image of thornode works, and it resumes after an interruption; keys never leave the
 * pod. The chain id is in CHAIN_ID.
 */
export function renderStartScript(dataPath: string): string {
  return `#!/bin/sh
set -e
export HOME=${dataPath}
config=$HOME/.thornode/config
if [ ! -e "$HOME/begun" ]; then
  thornode init slipway --overwrite --chain-id "$CHAIN_ID" > /dev/null
  thornode keys show validator --keyring-backend test > /dev/null 2>&1 \\
    || thornode keys add validator --keyring-backend test > /dev/null
  node_address=$(thornode keys show validator --address --keyring-backend test)
  node_key=$(thornode keys show validator --pubkey --keyring-backend test | thornode pubkey)
  consensus_key=$(thornode comet show-validator | thornode pubkey --bech cons)
  while IFS= read -r line; do
    case $line in *'"genesis_time"'*) time=\${line#*: \\"}; time=\${time%\\"*} ;; esac
  done < "$config/genesis.json"
  while IFS= read -r line; do
    case $line in
${substitutions(['time', 'time'], ['nodeAddress', 'node_address'], ['nodeKey', 'node_key'], ['consensusKey', 'consensus_key'])}
    esac
    printf '%s\\n' "$line"
  done < ${genesisPath} > "$config/genesis.json"
  thornode render-config
  : > "$HOME/begun"
fi
exec thornode start "$@"
`;
}

function substitutions(...pairs: [keyof typeof placeholders, string][]): string {
  return pairs
    .map(([name, variable]) => {
      const mark = placeholders[name];
      return `      *${mark}*) line="\${line%%${mark}*}$${variable}\${line#*${mark}}" ;;`;
    })
    .join('\n');
}
