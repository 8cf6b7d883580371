import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { broadcast } from '../../core/evm/broadcast.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import { createReadRaw } from './bytes.ts';
import { createQueueMemory } from './memory.ts';
import { openQueue } from './openEntries.ts';
import {
  accept,
  archived,
  countOf,
  deps,
  headOf,
  isEmpty,
  lookUntil,
  network,
  rpcOf,
  scene,
  transfer,
  useQueueScene,
} from './testing/queueScene.ts';

useQueueScene();

describe('a node that cannot be used', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  test.each<
    [string, (write: (text: string) => boolean, end: (status: number, text: string) => void) => void]
  >([
    ['hangs', () => undefined],
    ['answers 500', (_write, end) => end(500, 'oops')],
    ['answers garbage', (_write, end) => end(200, '<html>')],
    ['answers with numbers that are not numbers', (_write, end) => end(200, '[{"id":0,"result":"many"}]')],
    ['answers a gigabyte', (write) => void pour(write)],
  ])('a node that %s is reported, and nothing is lost', async (_reason, answer) => {
    const hashes = await accept([transfer()]);
    const find = scene.upstreams.find;
    server = createServer((_request, response) => {
      answer(
        (text) => !response.destroyed && response.write(text),
        (status, text) => void response.writeHead(status).end(text),
      );
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server?.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    scene.upstreams.find = () => ({ host: '127.0.0.1', port });
    const head = await lookUntil(({ status }) => status?.message !== undefined);
    expect(head.status?.message).toContain('node cannot be used');
    expect(batchesOf(head)).toHaveLength(1);
    scene.upstreams.find = find;
    await lookUntil(isEmpty);
    expect(await archived()).toMatchObject({ [hashes[0]!]: { state: 'mined' } });
  });

  function pour(write: (text: string) => boolean): void {
    const block = 'x'.repeat(65_536);
    for (let index = 0; index < 16_000 && write(block); index++);
  }
});

test('far more transactions than a block holds are all mined', async () => {
  const burner = { to: undefined as never, value: '0', data: '0xfe', gasLimit: '2100000' };
  const hashes = await accept(Array.from({ length: 60 }, () => transfer(burner)));
  await lookUntil(isEmpty);
  const results = await archived();
  expect(hashes.map((hash) => results[hash]?.state)).toEqual(hashes.map(() => 'failed'));
});

test('more transactions than a block holds, sent all at once, are all mined', async () => {
  const burner = { to: undefined as never, value: '0', data: '0xfe', gasLimit: '2100000' };
  const hashes = await accept(Array.from({ length: 100 }, () => transfer(burner)));
  const head = await headOf();
  const { entries } = await openQueue(deps, head, createQueueMemory());
  const readRaw = createReadRaw(deps, head);
  const raws: string[] = [];
  for (const entry of entries) raws.push(await readRaw(entry));
  await broadcast(rpcOf(network), raws);
  await lookUntil(isEmpty);
  expect(Object.keys(await archived())).toHaveLength(hashes.length);
});

test('a transaction that the node holds back although it is next is removed and sent again', async () => {
  const hashes = await accept([transfer(), transfer()]);
  const { url } = network;
  const held = new Set(hashes);
  let isHeld = true;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const calls: { id: number; method: string; params: string[] }[] = [JSON.parse(body)].flat();
    const answers = await Promise.all(
      calls.map(async ({ id, method, params }) => {
        if (method === 'anvil_removePoolTransactions') isHeld = false;
        if (isHeld && method === 'eth_sendRawTransaction')
          return { id, error: { code: -32003, message: 'transaction already imported' } };
        if (isHeld && method === 'eth_getTransactionByHash' && held.has(params[0] ?? ''))
          return { id, result: {} };
        const forwarded = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
        });
        return forwarded.json();
      }),
    );
    response.end(JSON.stringify(body.startsWith('[') ? answers : answers[0]));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  scene.upstreams.find = () => ({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  await lookUntil(isEmpty);
  expect(isHeld).toBe(false);
  expect(Object.keys(await archived()).sort()).toEqual([...hashes].sort());
  expect(await countOf()).toBe(2);
  server.closeAllConnections();
  server.close();
});
