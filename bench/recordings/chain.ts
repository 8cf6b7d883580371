import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { keccak256 } from 'ethers';

/** A node that speaks JSON-RPC and makes up its blocks: mining a million transactions would take the time of the bench. */
export interface MadeUpChain {
  host: string;
  port: number;
  url: string;
  /** From now on there are so many transactions of the wallet. */
  grow(transactions: number): void;
  /** How many signed transactions it was sent. */
  received(): number;
  stop(): Promise<void>;
}

const inBlock = 500;
const gasUsed = '0x88b8';
const chainId = '0x47868c01';
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const hex = (value: number) => `0x${value.toString(16)}`;
const digest = (text: string) => createHash('sha256').update(text).digest('hex');
/** A hash that names its index, so that a receipt needs no table. */
const hashOf = (kind: string, index: number) =>
  `0x${digest(`${kind}${index}`).slice(0, 52)}${index.toString(16).padStart(12, '0')}`;
const indexIn = (hash: string) => Number.parseInt(hash.slice(-12), 16);

interface Call {
  id: number;
  method: string;
  params: unknown[];
}

/** Every transaction of `wallet` is a call of a token, with one event; the node mines what it is sent at once. */
export async function startMadeUpChain(wallet: string): Promise<MadeUpChain> {
  let count = 0;
  const nonces = new Map<string, number>();
  const head = () => Math.ceil(count / inBlock);

  function blockOf(number: number, isFull: boolean) {
    if (number > head()) return null;
    const first = (number - 1) * inBlock;
    const length = number === 0 ? 0 : Math.min(inBlock, count - first);
    return {
      number: hex(number),
      hash: hashOf('block', number),
      parentHash: hashOf('block', Math.max(0, number - 1)),
      timestamp: hex(1_700_000_000 + number),
      gasLimit: '0x3b9aca00',
      baseFeePerGas: '0x1',
      transactions: isFull ? Array.from({ length }, (_, at) => transactionOf(first + at)) : [],
    };
  }

  function transactionOf(index: number) {
    const input = `0xa9059cbb${digest(`to${index}`).slice(24).padStart(64, '0')}${hex(index).slice(2).padStart(64, '0')}`;
    const to = '0x7e7e7e7e7e7e7e7e7e7e7e7e7e7e7e7e7e7e7e7e';
    return {
      hash: hashOf('tx', index),
      from: wallet,
      to,
      value: '0x0',
      input,
      nonce: hex(index),
      gas: '0x186a0',
    };
  }

  function receiptOf(hash: string) {
    const index = nonces.get(hash) ?? indexIn(hash);
    const number = Math.floor(index / inBlock) + 1;
    if (!nonces.has(hash) && hash !== hashOf('tx', index)) return null;
    return {
      transactionHash: hash,
      blockNumber: hex(number),
      blockHash: hashOf('block', number),
      gasUsed,
      status: '0x1',
      logs: [{ topics: [transferTopic] }],
    };
  }

  function accept(raw: string): string {
    const hash = keccak256(raw);
    // Batches come in the order of their nonces.
    if (!nonces.has(hash)) nonces.set(hash, nonces.size);
    return hash;
  }

  const answers: Record<string, (params: unknown[]) => unknown> = {
    eth_blockNumber: () => hex(head()),
    eth_chainId: () => chainId,
    eth_getBlockByNumber: ([number, isFull]) =>
      blockOf(number === 'latest' ? head() : Number(number), isFull === true),
    eth_getTransactionReceipt: ([hash]) => receiptOf(String(hash)),
    eth_getTransactionByHash: ([hash]) => ({ nonce: hex(nonces.get(String(hash)) ?? indexIn(String(hash))) }),
    eth_getTransactionCount: () => hex(nonces.size),
    eth_getBalance: () => `0x${(10n ** 30n).toString(16)}`,
    eth_gasPrice: () => '0x2',
    eth_maxPriorityFeePerGas: () => '0x1',
    eth_feeHistory: () => ({ baseFeePerGas: ['0x1', '0x1'] }),
    eth_sendRawTransaction: ([raw]) => accept(String(raw)),
  };
  const answer = ({ id, method, params }: Call) => {
    const find = answers[method];
    if (find) return { jsonrpc: '2.0', id, result: find(params) };
    return { jsonrpc: '2.0', id, error: { code: -32601, message: 'method not found' } };
  };
  const server = createServer(async (request, response) => {
    const calls = (await json(request)) as Call | Call[];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(Array.isArray(calls) ? calls.map(answer) : answer(calls)));
  });
  // It tells no heads: recordings then ask for them.
  server.on('upgrade', (_request, socket) => socket.destroy());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    host: '127.0.0.1',
    port,
    url: `http://127.0.0.1:${port}`,
    grow: (transactions) => {
      count = transactions;
    },
    received: () => nonces.size,
    async stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
