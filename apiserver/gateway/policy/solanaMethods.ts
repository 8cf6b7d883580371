import type { MethodAccess } from './policy.ts';

/**
 * Methods of Solana's JSON-RPC that read, simulate, send what is signed, or subscribe: those of Agave 3.1 and, on light
 * networks, Jito's bundles. Any other method is refused, because a new engine must not expose anything by itself.
 * Surfpool for one has methods that end the node, load code (`exit`, `loadPlugin`) or fetch a URL (`snapshotSubscribe`).
 */
const publicMethods = new Set([
  ...[
    'getAccountInfo',
    'getBalance',
    'getBlock',
    'getBlockCommitment',
    'getBlockHeight',
    'getBlockProduction',
  ],
  ...[
    'getBlockTime',
    'getBlocks',
    'getBlocksWithLimit',
    'getClusterNodes',
    'getEpochInfo',
    'getEpochSchedule',
  ],
  ...['getFeeForMessage', 'getFirstAvailableBlock', 'getGenesisHash', 'getHealth', 'getHighestSnapshotSlot'],
  ...['getIdentity', 'getInflationGovernor', 'getInflationRate', 'getInflationReward', 'getLargestAccounts'],
  ...['getLatestBlockhash', 'getLeaderSchedule', 'getMaxRetransmitSlot', 'getMaxShredInsertSlot'],
  ...['getMinimumBalanceForRentExemption', 'getMultipleAccounts', 'getProgramAccounts'],
  ...['getRecentPerformanceSamples', 'getRecentPrioritizationFees', 'getSignatureStatuses'],
  ...['getSignaturesForAddress', 'getSlot', 'getSlotLeader', 'getSlotLeaders', 'getStakeMinimumDelegation'],
  ...['getSupply', 'getTokenAccountBalance', 'getTokenAccountsByDelegate', 'getTokenAccountsByOwner'],
  ...['getTokenLargestAccounts', 'getTokenSupply', 'getTransaction', 'getTransactionCount'],
  ...['getTransactionsForAddress', 'getVersion', 'getVoteAccounts', 'isBlockhashValid', 'minimumLedgerSlot'],
  ...['sendTransaction', 'simulateTransaction', 'sendBundle', 'simulateBundle', 'getBundleStatuses'],
  // Sent by Solana clients to keep a WebSocket open; validators answer that the method does not exist.
  'ping',
]);

const subscriptions =
  /^(account|block|logs|program|root|signature|slot|slotsUpdates|vote)(Subscribe|Unsubscribe)$/;

/** Surfpool's own methods change the chain directly. */
const surfpoolMethods = /^surfnet_[A-Za-z]{1,60}$/;
/** Judging by their names, these methods take a URL to fetch or a file. */
const takesLocation = /(Url|Uri|File|Path|Datasource)$/i;

/** Who may call `method` of a Solana node; `text` is the call. `airdrops`: who may have SOL from its faucet. */
export function solanaMethodAccess(
  method: string,
  { airdrops, text }: { airdrops: MethodAccess; text?: string | undefined },
): MethodAccess {
  if (method === 'requestAirdrop') return airdrops;
  if (publicMethods.has(method)) return sendsUnsigned(method, text) ? 'admin' : 'public';
  if (subscriptions.test(method)) return 'public';
  return surfpoolMethods.test(method) && !takesLocation.test(method) ? 'admin' : 'never';
}

/** Why a call is refused, if its method alone does not say it. */
export function solanaRefusalReason(method: string, text?: string): string | undefined {
  return sendsUnsigned(method, text) ? 'skipSigVerify sends in the name of any account' : undefined;
}

/** Surfpool sends what nobody has signed if it is told to skip that check. */
function sendsUnsigned(method: string, text: string | undefined): boolean {
  return method.startsWith('send') && text !== undefined && hasMember(text, 'skipSigVerify');
}

/** Whether an object anywhere in a JSON text has a member of this name, whatever its value and however it is written. */
function hasMember(text: string, name: string): boolean {
  return isIn(JSON.parse(text), name);
}

/** Not a reviver of JSON.parse, which takes a hundred times as long. */
function isIn(value: unknown, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (!Array.isArray(value) && Object.hasOwn(value, name)) return true;
  return Object.values(value).some((member) => isIn(member, name));
}
