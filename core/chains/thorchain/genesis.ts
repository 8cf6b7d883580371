/** The genesis facts of a mocknet with one validator. Amounts are base units of RUNE (1e8 are 1 RUNE). */
export interface GenesisInput {
  chainId: string;
  /** Account of the hot key, which holds `accountBalance` and owns the bond. */
  hotAddress?: string | undefined;
  accountBalance: bigint;
  bondAmount: bigint;
  blockMaxBytes: number;
  /** -1: without limit. */
  blockMaxGas: number;
}

/**
 * Values that only the node's own keys give: the start script inserts them. Each occurs at most once per line, as the script
 * expects it.
 */
export const placeholders = {
  time: '@GENESIS_TIME@',
  nodeAddress: '@NODE_ADDRESS@',
  nodeKey: '@NODE_KEY@',
  consensusKey: '@CONSENSUS_KEY@',
} as const;

/** The module account that holds all bonds: an invariant compares it with their sum (source: build/scripts/core.sh). */
const bondModule = 'tthor17gw75axcnr8747pkanye45pnrwk7p9c3uhzgff';
/** The reserve of THORNode's own mocknet (source: build/scripts/genesis.sh). */
const reserve = '22000000000000000';
/** The balance of the validator's own account, for fees. */
const nodeBalance = 100_000_000_000n;
const maxEvidenceBytes = 1_048_576;

/** genesis.json of a mocknet of THORNode 3 (Cosmos SDK 0.50), with placeholders for the validator's keys. */
export function renderGenesis(input: GenesisInput): string {
  const genesis = {
    app_name: 'thornode',
    app_version: '',
    genesis_time: placeholders.time,
    chain_id: input.chainId,
    initial_height: 1,
    app_hash: null,
    consensus: { params: consensusParamsOf(input) },
    app_state: appStateOf(input),
  };
  return `${JSON.stringify(genesis, null, 1)}\n`;
}

/** Defaults are those of CometBFT 0.38; evidence may not be larger than a block. */
function consensusParamsOf({ blockMaxBytes, blockMaxGas }: GenesisInput) {
  return {
    block: { max_bytes: String(blockMaxBytes), max_gas: String(blockMaxGas) },
    evidence: {
      max_age_num_blocks: '100000',
      max_age_duration: '172800000000000',
      max_bytes: String(Math.min(maxEvidenceBytes, blockMaxBytes)),
    },
    validator: { pub_key_types: ['ed25519'] },
    version: { app: '0' },
    abci: { vote_extensions_enable_height: '0' },
  };
}

function appStateOf(input: GenesisInput) {
  const holders = [placeholders.nodeAddress, ...(input.hotAddress ? [input.hotAddress] : [])];
  return {
    auth: { params: authParams, accounts: holders.map(accountOf) },
    // Coins are moved by THORChain's own MsgSend.
    bank: {
      params: { send_enabled: [], default_send_enabled: false },
      balances: balancesOf(input),
      supply: [],
    },
    genutil: { gen_txs: [] },
    mint,
    thorchain: { reserve, node_accounts: [nodeOf(input)] },
    upgrade: {},
  };
}

const authParams = {
  max_memo_characters: '256',
  tx_sig_limit: '7',
  tx_size_cost_per_byte: '10',
  sig_verify_cost_ed25519: '590',
  sig_verify_cost_secp256k1: '1000',
};

/** As created by `thornode init`; THORChain does not mint with this module. */
const mint = {
  minter: { inflation: '0.130000000000000000', annual_provisions: '0.000000000000000000' },
  params: {
    mint_denom: 'stake',
    inflation_rate_change: '0.130000000000000000',
    inflation_max: '0.200000000000000000',
    inflation_min: '0.070000000000000000',
    goal_bonded: '0.670000000000000000',
    blocks_per_year: '6311520',
  },
};

function accountOf(address: string) {
  return {
    '@type': '/cosmos.auth.v1beta1.BaseAccount',
    address,
    pub_key: null,
    account_number: '0',
    sequence: '0',
  };
}

function balancesOf({ hotAddress, accountBalance, bondAmount }: GenesisInput) {
  const amounts: [string, bigint][] = [
    [placeholders.nodeAddress, nodeBalance],
    [bondModule, bondAmount],
    ...(hotAddress ? [[hotAddress, accountBalance] satisfies [string, bigint]] : []),
  ];
  return amounts
    .filter(([, amount]) => amount > 0n)
    .map(([address, amount]) => ({ address, coins: [{ denom: 'rune', amount: String(amount) }] }));
}

function nodeOf({ hotAddress, bondAmount }: GenesisInput) {
  return {
    node_address: placeholders.nodeAddress,
    version: '3.0.0',
    ip_address: '127.0.0.1',
    status: 'Active',
    bond: String(bondAmount),
    active_block_height: '0',
    bond_address: hotAddress ?? placeholders.nodeAddress,
    signer_membership: [],
    validator_cons_pub_key: placeholders.consensusKey,
    pub_key_set: { secp256k1: placeholders.nodeKey, ed25519: placeholders.nodeKey },
  };
}
