import { randomBytes } from 'node:crypto';
import { type Answer, call, freshName } from '../lib/service.ts';
import { amount, type Bed, freshAddress, submitPath, type WriteKind } from './bed.ts';
import type { Ledger } from './ledger.ts';

/** One kind of write: the request, and the id in its response. */
interface Write {
  mark: string;
  path: string;
  body: object;
  idOf(body: Answer['body']): string;
}

const pauseMs = 150;
/** One network takes as much work as dozens of the other writes. */
const networkEvery = 40;

/**
 * Writes until it is stopped, one request at a time. A request without an answer, or with one that says to
 * retry, is repeated with the same Idempotency-Key, as a careful client does, so each write is acknowledged once in the end.
 */
export function startWriter(bed: Bed, ledger: Ledger) {
  let isStopping = false;
  const unexpected: string[] = [];

  async function run(): Promise<void> {
    for (let turn = 1; !isStopping; turn += 1) {
      const kind: WriteKind =
        turn % networkEvery === 0 ? 'network' : turn % 2 === 0 ? 'secret' : 'transaction';
      const write = writes[kind](bed);
      const answer = await repeat(write);
      if (answer.status >= 300) unexpected.push(`${kind}: ${answer.status} ${JSON.stringify(answer.body)}`);
      else ledger.add({ kind, mark: write.mark, id: write.idOf(answer.body) });
      await pause(pauseMs);
    }
  }

  const running = run();
  return {
    /** Answers other than success and those that say to retry. */
    unexpected,
    async stop(): Promise<void> {
      isStopping = true;
      await running;
    },
  };
}

const writes: Record<WriteKind, (bed: Bed) => Write> = {
  secret() {
    const name = freshName('fault');
    const body = { name, type: 'private-key', data: randomBytes(32).toString('base64') };
    return { mark: name, path: '/v1alpha/secrets', body, idOf: ({ id }) => id };
  },
  network() {
    const name = freshName('fault');
    const body = { name, spec: { chain: { type: 'Base', base: {} } } };
    return { mark: name, path: '/v1alpha/networks', body, idOf: ({ id }) => id };
  },
  transaction: ({ networkId, wallet }) => transfer(networkId, wallet.address),
};

function transfer(networkId: string, from: string): Write {
  const to = freshAddress();
  const item = { from, to, value: String(amount), data: '0x' };
  return {
    mark: to,
    path: submitPath,
    body: { transactions_by_network: { [networkId]: [item] } },
    idOf: (body) => body.tx_hashes_by_network[networkId][0],
  };
}

/** Sends one transfer, repeated until it is acknowledged, and returns its entry for the ledger. */
export async function sendTransfer({ networkId, wallet }: Bed, ledger: Ledger): Promise<string> {
  const write = transfer(networkId, wallet.address);
  const { status, body } = await repeat(write);
  if (status >= 300) throw new Error(`the transfer was refused: ${status} ${JSON.stringify(body)}`);
  ledger.add({ kind: 'transaction', mark: write.mark, id: write.idOf(body) });
  return write.mark;
}

/** Creates a network, repeated until it is acknowledged, and returns its id. */
export async function createAnyNetwork(bed: Bed): Promise<string> {
  const { status, body } = await repeat(writes.network(bed));
  if (status >= 300) throw new Error(`the network was refused: ${status} ${JSON.stringify(body)}`);
  return body.id;
}

/** Throws after five minutes without an answer. */
async function repeat({ path, body }: Write): Promise<Answer> {
  const headers = { 'Idempotency-Key': randomBytes(16).toString('hex') };
  const endMs = Date.now() + 300_000;
  for (;;) {
    const answer = await call('POST', path, { body, headers }).catch(() => undefined);
    if (answer && answer.status < 500 && !answer.headers.get('retry-after')) return answer;
    if (Date.now() > endMs) throw new Error(`no answer to POST ${path}; last: ${JSON.stringify(answer)}`);
    await pause(pauseMs);
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
