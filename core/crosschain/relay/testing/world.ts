import type { TokenChain } from '../../../deploy/ports.ts';
import { aRawReceipt } from '../../../evm/testing/receipts.ts';
import { AppError } from '../../../lib/errors.ts';
import { silentLog } from '../../../lib/log.ts';
import { createManualClock } from '../../../lib/manualClock.ts';
import { createMetrics } from '../../../lib/metrics.ts';
import { createMemoryPositions } from '../../../tokens/testing/relay.ts';
import { createRelayEvents, relayMetricTable } from '../metrics.ts';
import type { RelayMessage, RelayProtocol, RelaySource } from '../protocol.ts';
import { createRelay } from '../relay.ts';

export const source: RelaySource = { network: 'a', incarnation: 'one', address: '0xa', topic: '0x1' };

const toHex = (value: number) => `0x${value.toString(16)}`;

/** A source whose logs name destination and message, and destinations that take messages or not. */
export function createWorld() {
  const metrics = createMetrics([relayMetricTable]);
  const positions = createMemoryPositions();
  const clock = createManualClock();
  const world = {
    logs: [] as { block: number; to: string; id: string }[],
    delivered: [] as string[],
    /** Ranges of blocks that were asked for. */
    asked: [] as [number, number][],
    /** How often each network was called. */
    calls: new Map<string, number>(),
    head: 0,
    firstBlock: 0,
    /** From which block on the source has which blocks. */
    branches: [[0, 'main']] as [number, string][],
    away: new Set<string>(),
    refused: new Set<string>(),
    /** Idempotency keys of transactions that are in no block, and why they never will be. */
    dropped: new Map<string, string>(),
    mostLogs: Number.POSITIVE_INFINITY,
    /** Called before a message is delivered. */
    onSend: (): void => undefined,
    wentBack: [] as [number, number][],
    /** The source loses its blocks after `block` and gets others, up to `head`. */
    goBack(block: number, head: number): void {
      world.logs = world.logs.filter((log) => log.block <= block);
      world.branches.push([block + 1, `branch ${world.branches.length}`]);
      world.head = head;
    },
  };
  const hashOf = (block: number) =>
    `${world.branches.findLast(([from]) => from <= block)?.[1] ?? ''}: block ${block}`;
  const blockAt = (block: number) =>
    block > world.head ? null : { number: toHex(block), hash: hashOf(block), parentHash: hashOf(block - 1) };

  function logsIn(first: number, last: number): unknown[] {
    world.asked.push([first, last]);
    const found = world.logs
      .map((log, index) => ({ ...log, index }))
      .filter(({ block }) => block >= first && block <= last);
    if (found.length > world.mostLogs) throw new AppError('Unavailable', 'the answer is too long');
    return found.map(({ block, to, id, index }) => ({
      address: '0xa',
      topics: ['0x1'],
      data: `${to}/${id}`,
      blockNumber: toHex(block),
      blockHash: hashOf(block),
      logIndex: toHex(index),
    }));
  }

  const answers: Record<string, (params: readonly unknown[]) => unknown> = {
    eth_getBlockByNumber: ([which]) => blockAt(which === 'latest' ? world.head : Number(which)),
    eth_getTransactionReceipt: ([key]) => (world.dropped.has(String(key)) ? null : aRawReceipt()),
    eth_getTransactionByHash: () => null,
    eth_getLogs([filter]) {
      const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string };
      return logsIn(Number(fromBlock), Number(toBlock));
    },
  };
  const chainOf = (network: string): TokenChain => ({
    async call(method, params) {
      world.calls.set(network, (world.calls.get(network) ?? 0) + 1);
      if (world.away.has(network)) throw new AppError('Unavailable', `${network} is away`);
      return answers[method]?.(params);
    },
    async send(idempotencyKey) {
      const id = idempotencyKey.split('/')[1] ?? '';
      world.onSend();
      if (world.refused.has(id)) throw new AppError('BadRequest', 'reverted');
      if (!world.dropped.has(idempotencyKey)) world.delivered.push(id);
      return idempotencyKey;
    },
    whyDropped: async (key) => world.dropped.get(key),
  });
  const protocol: RelayProtocol<RelayMessage> = {
    name: 'test',
    sources: [source],
    parse: (_source, { data }) => ({ to: data.split('/')[0] ?? '', id: data.split('/')[1] ?? '' }),
    async next({ id }, destination) {
      await destination.call('eth_chainId', []);
      if (world.delivered.includes(id)) return { kind: 'delivered' };
      return { kind: 'send', name: 'bring', transaction: { data: '0x' } };
    },
  };
  const events = {
    ...createRelayEvents(metrics, silentLog)('test'),
    wentBack: (_source: string, from: number, to: number) => void world.wentBack.push([from, to]),
  };
  const start = () =>
    createRelay(protocol, {
      chain: async (id) => chainOf(id),
      positions,
      firstBlock: async () => world.firstBlock,
      // Waiting for a receipt takes no time.
      clock: { ...clock, sleep: async (ms) => clock.advance(ms) },
      events,
    });
  return Object.assign(world, { start, clock, positions, metrics });
}
