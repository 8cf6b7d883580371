import type { MethodAccess } from './policy.ts';

/**
 * Which JSON-RPC methods of EVM nodes (anvil, geth, reth, besu, nethermind, erigon) the gateway forwards.
 * Any other method is refused, because a new engine must not expose anything by itself.
 */
const namespaces = new Map<string, MethodAccess>([
  ...allow('public', ['eth', 'net', 'web3', 'txpool', 'rpc']),
  // Reads. Tracing is expensive, but block explorers, debuggers and Foundry need it, and it is the caller's node.
  ...allow('public', ['trace', 'ots', 'erigon']),
  // These change the chain or the node directly.
  ...allow('admin', ['anvil', 'evm', 'hardhat', 'tenderly', 'miner', 'engine', 'wallet']),
]);

/** Methods of namespaces that mix harmless ones with those that touch the node's files and peers: only these pass. */
const named = new Map<string, MethodAccess>([
  ...allow('public', [
    'debug_traceTransaction',
    'debug_traceCall',
    'debug_traceCallMany',
    'debug_traceBlock',
    'debug_traceBlockByHash',
    'debug_traceBlockByNumber',
    'debug_getRawBlock',
    'debug_getRawHeader',
    'debug_getRawReceipts',
    'debug_getRawTransaction',
    'debug_codeByHash',
    'debug_storageRangeAt',
    'debug_accountRange',
    'debug_executionWitness',
  ]),
  // Development tools ask these to learn what they talk to. They read, and name no URL.
  ...allow('public', [
    'anvil_getAutomine',
    'hardhat_getAutomine',
    'anvil_getIntervalMining',
    'anvil_metadata',
    'hardhat_metadata',
  ]),
  ...allow('admin', [
    'debug_setHead',
    'debug_getBadBlocks',
    'debug_getModifiedAccountsByHash',
    'debug_getModifiedAccountsByNumber',
    'debug_intermediateRoots',
    'debug_dumpBlock',
    'debug_preimage',
    'debug_printBlock',
    'debug_dbGet',
    'admin_nodeInfo',
    'admin_peers',
    'personal_listAccounts',
    'personal_unlockAccount',
    'personal_lockAccount',
    'personal_sign',
    'personal_signTransaction',
    'personal_sendTransaction',
    'personal_ecRecover',
  ]),
  // These point the node at a URL of the caller's choice.
  ...allow('never', ['anvil_reset', 'hardhat_reset', 'anvil_setRpcUrl']),
  // The service signs for the chain id of the network: no other transactions may be valid on its chain.
  ...allow('never', ['anvil_setChainId', 'hardhat_setChainId']),
  // Returns the URL that the network was forked from, which may contain the installation's API key. Called while anvil 1.7
  // mines, it may also stop the node for good (core/evm/emptyBlocks.ts).
  ...allow('never', ['anvil_nodeInfo']),
]);

/** The methods that the policy names one by one. */
export const namedMethods: readonly string[] = [...named.keys()];

/** Judging by their names, these methods take a URL to fetch or a file to read or write, whatever the node. */
const takesLocation = /(Url|Uri|File|Path|Reset)$/i;

/**
 * The node signs these for every account that an impersonation through the admin URL has unlocked, so they would let
 * whoever calls them write. Our nodes unlock no account of their own. `eth_sendRawTransaction` carries a signature.
 */
const signsOrSends = /^eth_(sign|resend|send(?!RawTransaction(Sync|Conditional)?$))/;

/** `anvil_setChainId` and its relatives in every namespace. `eth_chainId` only reads. */
function changesChainId(method: string): boolean {
  const name = method.toLowerCase();
  const setter = name.indexOf('_set');
  return setter !== -1 && name.includes('chainid', setter);
}

/** Who may call `method`. Names are case-sensitive, as they are in nodes. */
export function evmMethodAccess(method: string): MethodAccess {
  if (changesChainId(method)) return 'never';
  const known = named.get(method);
  if (known) return known;
  const namespace = method.slice(0, Math.max(0, method.indexOf('_')));
  const access = namespaces.get(namespace) ?? 'never';
  if (access === 'public' && signsOrSends.test(method)) return 'admin';
  return access === 'admin' && takesLocation.test(method) ? 'never' : access;
}

/** Why `method` is closed on every URL, with the remedy; undefined if that needs no explanation. */
export function evmRefusalReason(method: string): string | undefined {
  if (!changesChainId(method)) return undefined;
  return 'the chain id of a network never changes while it runs, because signed transactions name it: set chainID in its spec';
}

function allow(access: MethodAccess, names: string[]): [string, MethodAccess][] {
  return names.map((name) => [name, access]);
}
