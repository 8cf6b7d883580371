import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { networkType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { createFakeKube } from '../../core/kube/testing/fake/fake.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { createReaders } from './readers.ts';

const wallet = `0x${'a1'.repeat(20)}`;
const hash = (number: number) => `0x${number.toString(16).padStart(64, '0')}`;
const after = { number: 1, hash: hash(1) };

interface Call {
  id: number;
  method: string;
  params: unknown[];
}

/** How many transactions block 2 has; each eighth is the wallet's. Block 3 has none. */
let count: number;
/** The numbers of calls in the requests, and their methods. */
let asked: { method: string; calls: number }[];
let server: Server;
let url: string;

const transaction = (index: number) => ({
  hash: hash(1_000_000 + index),
  from: index % 8 === 0 ? wallet : `0x${'b2'.repeat(20)}`,
  to: wallet,
  type: '0x2',
  nonce: '0x0',
  value: '0x0',
  gas: '0x5208',
  gasPrice: '0x1',
  maxFeePerGas: '0x1',
  maxPriorityFeePerGas: '0x1',
  chainId: '0x1',
  input: `0x${'00'.repeat(200)}`,
  accessList: [],
});

const transactions = () => Array.from({ length: count }, (_, index) => transaction(index));

function block(number: number, isFull: boolean) {
  const all = number === 2 ? transactions() : [];
  return {
    number: `0x${number.toString(16)}`,
    hash: hash(number),
    parentHash: hash(number - 1),
    timestamp: '0x1',
    transactions: isFull ? all : all.map((one) => one.hash),
  };
}

const receipt = (transactionHash: unknown) => ({
  transactionHash,
  blockHash: hash(2),
  blockNumber: '0x2',
  status: '0x1',
  gasUsed: '0x5208',
  effectiveGasPrice: '0x1',
  contractAddress: null,
  logs: [],
});

const methods: Record<string, (params: unknown[]) => unknown> = {
  eth_getBlockByNumber: ([number, isFull]) => block(Number(number), Boolean(isFull)),
  eth_getTransactionByBlockHashAndIndex: ([, index]) => transaction(Number(index)),
  eth_getTransactionReceipt: ([transactionHash]) => receipt(transactionHash),
};

beforeEach(async () => {
  asked = [];
  server = createServer(async (request, response) => {
    const calls: Call[] = JSON.parse(await text(request));
    asked.push({ method: calls[0]?.method ?? '', calls: calls.length });
    response.end(
      JSON.stringify(calls.map(({ id, method, params }) => ({ id, result: methods[method]?.(params) }))),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const read = (blocks: number) => {
  const network = createFakeKube().seed(networkType, aNetwork());
  return createReaders(() => ({ url }), String, systemClock)(network, wallet)!.read(after, blocks);
};

it('blocks of usual size are read together', async () => {
  count = 80;
  const { upTo, lines } = await read(2);
  expect([upTo?.number, lines.length]).toEqual([3, 10]);
  expect(asked[0]).toEqual({ method: 'eth_getBlockByNumber', calls: 2 });
});

it('a block of many megabytes is read in parts, of which few transactions are parsed together', async () => {
  count = 8_000;
  const { upTo, lines, bytes } = await read(2);
  expect([upTo?.number, lines.length]).toEqual([2, 1_000]);
  expect(bytes).toBeGreaterThan(4_000_000);
  const parts = asked.filter(({ method }) => method === 'eth_getTransactionByBlockHashAndIndex');
  expect(parts.reduce((sum, { calls }) => sum + calls, 0)).toBe(8_000);
  expect(Math.max(...parts.map(({ calls }) => calls))).toBe(250);
});
