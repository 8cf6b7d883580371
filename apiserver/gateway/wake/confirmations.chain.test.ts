import { JsonRpcProvider, toQuantity, Wallet, WebSocketProvider } from 'ethers';
import { createManualClock, type ManualClock } from '../../../core/lib/manualClock.ts';
import { call, type Node, post, startAnvil, startNode, startWorld, type World } from '../testing/fixtures.ts';
import { type Confirmations, createConfirmations } from './confirmations.ts';
import { createNodeCalls, type NodeCalls } from './nodeCalls.ts';

const uid = 'network';
const second = 1000;

/** A node that mines when it is told to. */
interface Chain {
  automines: boolean;
  /** The genesis block first. */
  blocks: { transactions: number; madeMs: number }[];
  copiedUntil: number | null;
  clock: ManualClock;
}

function answer(
  { blocks, clock, ...chain }: Chain,
  { method, params }: { method: string; params: string[] },
) {
  const number = blocks.length - 1;
  const timestamp = toQuantity(Math.floor((blocks[number]?.madeMs ?? 0) / second));
  const transactions = Array(blocks[number]?.transactions).fill('0x');
  const results: Record<string, () => unknown> = {
    anvil_getAutomine: () => chain.automines,
    eth_getBlockByNumber: () => ({
      number: toQuantity(number),
      hash: `0x${number}`,
      timestamp,
      transactions,
    }),
    anvil_metadata: () => ({
      forkedNetwork: chain.copiedUntil === null ? undefined : { forkBlockNumber: chain.copiedUntil },
    }),
    eth_getBlockTransactionCountByNumber: () => toQuantity(blocks[Number(params[0])]?.transactions ?? 0),
    evm_mine: () => void blocks.push({ transactions: 0, madeMs: clock.nowMs() }),
  };
  return results[method]?.() ?? '0x0';
}

describe('on a chain that makes a block for each transaction', () => {
  let clock: ManualClock;
  let chain: Chain;
  let node: Node;
  let nodes: NodeCalls;
  let confirmations: Confirmations;
  beforeEach(async () => {
    clock = createManualClock();
    chain = { automines: true, blocks: [], copiedUntil: null, clock };
    grow(0, 1);
    node = await startNode(async (request, response) => {
      const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
      const calls = [body].flat();
      const answers = calls.map(({ id, ...asked }) => ({ jsonrpc: '2.0', id, result: answer(chain, asked) }));
      response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]));
    });
    const warn = (_uid: string, message: string, reason: string) => {
      throw new Error(`${message}: ${reason}`);
    };
    nodes = createNodeCalls({ upstreams: { find: () => node }, warn });
    confirmations = createConfirmations({ clock, nodes });
  });
  afterEach(async () => {
    confirmations.close();
    await nodes.close();
    await node.close();
  });

  /** Adds blocks with so many transactions. */
  const grow = (...transactions: number[]) =>
    chain.blocks.push(...transactions.map((count) => ({ transactions: count, madeMs: clock.nowMs() })));

  /** Polls at intervals, and tells how many empty blocks there are after each poll. */
  async function poll(times: number, everyMs = second): Promise<number[]> {
    const heights: number[] = [];
    for (let count = 0; count < times; count++) {
      await confirmations.beforePoll(uid);
      heights.push(chain.blocks.length - 2);
      clock.advance(everyMs);
    }
    return heights;
  }

  it('makes a block when a third poll finds no new one, and one before each that follows', async () => {
    expect(await poll(6)).toEqual([0, 0, 1, 2, 3, 4]);
  });

  it('makes as many for a client that polls every four seconds as it polls', async () => {
    expect(await poll(5, 4 * second)).toEqual([0, 0, 1, 2, 3]);
  });

  it('makes about one a second, however often it is asked', async () => {
    expect((await poll(41, second / 10)).at(-1)).toBe(3);
  });

  it('ends 64 blocks after the last transaction', async () => {
    expect((await poll(80)).at(-1)).toBe(64);
  });

  it('makes none where no transaction was made', async () => {
    chain.blocks = [];
    grow(0, 0);
    expect((await poll(5)).at(-1)).toBe(0);
  });

  it('waits for three polls again after a transaction', async () => {
    await poll(3);
    grow(1);
    expect(await poll(4)).toEqual([2, 2, 3, 4]);
  });

  it('takes polls half a minute apart for questions', async () => {
    expect((await poll(5, 30 * second)).at(-1)).toBe(0);
  });

  it('makes none on a chain that mines by itself or by hand', async () => {
    chain.automines = false;
    expect((await poll(20)).at(-1)).toBe(0);
  });

  it('makes none on a fork without transactions of its own', async () => {
    grow(5, 0);
    chain.copiedUntil = 2;
    await poll(5);
    expect(chain.blocks).toHaveLength(4);
  });

  it('makes none for half a minute after somebody has controlled the blocks, and then goes on', async () => {
    await poll(3);
    confirmations.noteControl(uid);
    expect((await poll(29)).at(-1)).toBe(1);
    expect((await poll(5)).at(-1)).toBe(3);
  });

  it('leaves it to another replica that makes them', async () => {
    await poll(3);
    for (let count = 0; count < 5; count++) {
      grow(0);
      await confirmations.beforePoll(uid);
      clock.advance(second);
    }
    expect(chain.blocks.length - 2).toBe(6);
  });

  it.each([
    ['the public URL', 'rpc', [], 3],
    ['the admin URL', 'admin', [], 0],
    ['the public URL, while somebody mines over the admin URL,', 'rpc', [call('evm_snapshot')], 0],
  ])('makes blocks for calls to %s: %s, %j', async (_where, service, controls, made) => {
    const world = await startWorld(node, { clock });
    for (const control of controls) await post(world.url('admin'), control);
    for (let count = 0; count < 5; count++) {
      await post(world.url(service), call('eth_blockNumber'));
      clock.advance(second);
    }
    expect(chain.blocks.length - 2).toBe(made);
    await world.close();
  });

  describe('a subscriber to new blocks', () => {
    /** Resolves when the chain has its next block, at the latest after the given time. */
    async function nextBlock(withinMs = 2 * second): Promise<boolean> {
      const before = chain.blocks.length;
      clock.advance(withinMs);
      for (let turn = 0; turn < 100 && chain.blocks.length === before; turn++)
        await new Promise((resolve) => setTimeout(resolve, 1));
      return chain.blocks.length > before;
    }

    it('is due a block soon after it has subscribed, and after each that it was told of', async () => {
      const watch = confirmations.watch(uid);
      watch.isWaiting();
      expect(await nextBlock()).toBe(true);
      expect(await nextBlock()).toBe(false);
      watch.isWaiting();
      expect(await nextBlock()).toBe(true);
    });

    it('is due none when it has unsubscribed', async () => {
      const watch = confirmations.watch(uid);
      watch.isWaiting();
      watch.end();
      expect(await nextBlock()).toBe(false);
    });

    it('waits until nobody controls the blocks any more', async () => {
      confirmations.noteControl(uid);
      confirmations.watch(uid).isWaiting();
      expect(await nextBlock(25 * second)).toBe(false);
      expect(await nextBlock(10 * second)).toBe(true);
    });
  });
});

describe('with a real anvil behind it', () => {
  const wallet = Wallet.createRandom();
  let world: World;
  let anvil: Awaited<ReturnType<typeof startAnvil>>;
  beforeAll(async () => {
    anvil = await startAnvil();
    world = await startWorld(anvil);
    await post(world.url('admin'), call('anvil_setBalance', [wallet.address, toQuantity(10n ** 20n)]));
  });
  afterAll(async () => {
    await world.close();
    await anvil.close();
  });

  it.each([
    ['polls over HTTP', () => Object.assign(new JsonRpcProvider(world.url()), { pollingInterval: second })],
    ['subscribes over WebSocket', () => new WebSocketProvider(world.url('ws').replace('http', 'ws'))],
  ])('a client that %s gets the confirmations that it waits for', async (_how, connect) => {
    const provider = connect();
    const sent = await wallet.connect(provider).sendTransaction({ to: wallet.address });
    const receipt = await sent.wait(3);
    expect(await receipt?.confirmations()).toBeGreaterThanOrEqual(3);
    // Its last request, to unsubscribe, is on its way.
    await provider.send('eth_chainId', []);
    await provider.destroy();
  });
});
