/** What a call says about how its caller uses the blocks of an EVM chain. */
export type BlockUse = 'poll' | 'subscribe' | 'unsubscribe' | 'control';

const uses = new Map<string, (text: string) => BlockUse | undefined>([
  ['eth_blockNumber', () => 'poll'],
  ['eth_getBlockByNumber', (text) => (/"(latest|pending|safe|finalized)"/.test(text) ? 'poll' : undefined)],
  ['eth_getTransactionReceipt', () => 'poll'],
  ['eth_getFilterChanges', () => 'poll'],
  ['eth_subscribe', (text) => (text.includes('"newHeads"') ? 'subscribe' : undefined)],
  ['eth_unsubscribe', () => 'unsubscribe'],
]);

/** Mining by hand, snapshots and the chain's clock: who uses these decides when there is a block. */
const controls =
  /^(anvil|evm|hardhat|tenderly)_(?!get).*(mine|mining|snapshot|revert|rollback|reorg|time|block|prevrandao)/i;

/** How the call with this JSON text, of an EVM node, uses blocks; undefined for most calls. */
export function evmBlockUse(method: string, text: string): BlockUse | undefined {
  return uses.get(method)?.(text) ?? (controls.test(method) ? 'control' : undefined);
}
