import { once } from 'node:events';
import { WebSocket } from 'ws';
import { evmDrivers } from '../../../core/chains/evm/drivers.ts';
import { startTestChain, type TestChain } from '../../../core/chains/evm/testing/testChain.ts';
import { awaitReceipts } from '../../../core/evm/receipts.ts';
import { createEvmRpc } from '../../../core/evm/rpc.ts';
import { createManualClock } from '../../../core/lib/manualClock.ts';
import { signTransactions } from '../../../core/signing/signing.ts';
import { call, post, startWorld, type World } from '../testing/fixtures.ts';
import { createNodeCalls } from './nodeCalls.ts';
import { createStrandedTransactions } from './strandedTransactions.ts';

let chain: TestChain;
let world: World;
beforeAll(async () => {
  chain = await startTestChain({ type: 'Ethereum', driver: evmDrivers.Ethereum });
  const { hostname: host, port } = new URL(chain.url);
  world = await startWorld({ host, port: Number(port) });
});
afterAll(async () => {
  await world.close();
  await chain.stop();
});

const fees = { maxFeePerGas: '10000000000', maxPriorityFeePerGas: '1000000000' };

/** A batch of creations, of which a block holds 14: their code uses all its gas (INVALID). */
function burners(first: number, count: number): { batch: string; hashes: string[] } {
  const burner = { chainId: chain.chainId, value: '0', data: '0xfe', gasLimit: '2100000', fees };
  const signed = signTransactions(
    Buffer.from(chain.wallet.privateKey.slice(2), 'hex'),
    Array.from({ length: count }, (_, index) => ({ ...burner, nonce: first + index })),
  );
  const calls = signed.map(({ raw }, index) => call('eth_sendRawTransaction', [raw], index));
  return { batch: JSON.stringify(calls), hashes: signed.map(({ hash }) => hash) };
}

test.each([
  ['HTTP', 0, (batch: string) => post(world.url(), batch)],
  [
    'WebSocket',
    150,
    async (batch: string) => {
      const socket = new WebSocket(world.url('ws').replace('http', 'ws'));
      await once(socket, 'open');
      socket.send(batch);
      await once(socket, 'message');
      socket.close();
    },
  ],
])('a burst over %s that exceeds a block is mined completely', async (_way, first, send) => {
  const { batch, hashes } = burners(first, 150);
  await send(batch);
  const receipts = await awaitReceipts(createEvmRpc({ url: chain.url }), hashes, { timeoutMs: 15_000 });
  expect(receipts.filter((receipt) => receipt === undefined)).toHaveLength(0);
});

describe('the node is queried', () => {
  const clock = createManualClock();
  const asked: string[] = [];
  const find = (uid: string) => void asked.push(uid);
  const nodes = createNodeCalls({ upstreams: { find }, warn: () => undefined });
  const strandedTransactions = createStrandedTransactions({ clock, nodes });
  beforeEach(() => void asked.splice(0));

  test('a second after the last of two or more transactions', () => {
    strandedTransactions.noteSent('net', 1);
    clock.advance(900);
    strandedTransactions.noteSent('net', 1);
    clock.advance(900);
    expect(asked).toEqual([]);
    clock.advance(100);
    expect(asked).toEqual(['net']);
  });

  test('not for one transaction or none', () => {
    strandedTransactions.noteSent('net', 0);
    strandedTransactions.noteSent('other', 1);
    clock.advance(2000);
    strandedTransactions.noteSent('other', 1);
    clock.advance(2000);
    expect(asked).toEqual([]);
  });

  test('not after closing', async () => {
    strandedTransactions.noteSent('net', 2);
    strandedTransactions.close();
    await nodes.close();
    strandedTransactions.noteSent('net', 2);
    clock.advance(2000);
    expect(asked).toEqual([]);
  });
});
