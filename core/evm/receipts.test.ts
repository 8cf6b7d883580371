import { AppError } from '../lib/errors.ts';
import { readCapped } from './readCapped.ts';
import { eventsIn, parseReceipt, parseWithEvents, readReceiptAnswers, readReceipts } from './receipts.ts';
import type { EvmRpc, RpcOutcome } from './rpc.ts';

const hashOf = (at: number) => `0x${at.toString(16).padStart(64, '0')}`;
const receiptOf = (hash: string, more: object = {}) => ({
  transactionHash: hash,
  blockNumber: '0x1',
  blockHash: hashOf(99),
  gasUsed: '0x5208',
  status: '0x1',
  ...more,
});

/** A node whose receipts have so many characters of logs each. `asked` are the numbers of receipts of its batches. */
function createNode(length: number) {
  const asked: number[] = [];
  const rpc: Pick<EvmRpc, 'batch'> = {
    async batch(calls, { maxBytes = 4 * MiB } = {}) {
      asked.push(calls.length);
      const answers = calls.map(({ params: [hash] }) =>
        receiptOf(String(hash), { logs: 'x'.repeat(length) }),
      );
      const body = (async function* () {
        yield Buffer.from(JSON.stringify(answers));
      })();
      return readCapped(body, { maxBytes }).then(
        (): RpcOutcome[] => answers.map((result) => ({ result })),
        (error: AppError): RpcOutcome[] => calls.map(() => ({ error })),
      );
    },
  };
  return { asked, read: (hashes: readonly string[]) => readReceiptAnswers(rpc as EvmRpc, hashes) };
}

const hashes = [1, 2, 3, 4, 5].map(hashOf);
const MiB = 1024 * 1024;

it.each([
  ['short', 100, [5]],
  ['together longer than 4 MiB', 1.9 * MiB, [5, 3, 2, 1, 2]],
  ['each longer than 4 MiB', 5 * MiB, [5, 3, 2, 1, 1, 1, 2, 1, 1]],
])('receipts that are %s are asked for in parts that can be parsed at once', async (_, length, batches) => {
  const { asked, read } = createNode(length);
  expect((await read(hashes)).map((answer) => parseReceipt(answer)?.hash)).toEqual(hashes);
  expect(asked.toSorted((a, b) => b - a)).toEqual(batches.toSorted((a, b) => b - a));
});

it('a node that cannot be used is not asked again', async () => {
  let asked = 0;
  const batch = async () => {
    asked += 1;
    return hashes.map(() => ({ error: new AppError('Unavailable', 'gone') }));
  };
  await expect(readReceiptAnswers({ batch } as unknown as EvmRpc, hashes)).rejects.toThrow('gone');
  expect(asked).toBe(1);
});

it('logs that nobody wants are not kept, however many there are', async () => {
  const logs = Array.from({ length: 100_000 }, (_, index) => ({ topics: [hashOf(index)], data: '0x' }));
  const batch: EvmRpc['batch'] = async (calls, { maxBytes = 4 * MiB, ...caps } = {}) => {
    const answers = calls.map(({ params: [hash] }) => receiptOf(String(hash), { logs }));
    const body = (async function* () {
      yield Buffer.from(JSON.stringify(answers));
    })();
    const kept: unknown[] = JSON.parse(await readCapped(body, { maxBytes, ...caps }));
    return kept.map((result) => ({ result }));
  };
  const receipts = await readReceipts({ batch } as EvmRpc, hashes.slice(0, 2));
  expect(receipts.map((receipt) => receipt?.hash)).toEqual(hashes.slice(0, 2));
});

it('nobody looks at the logs of a receipt whose events are not wanted', () => {
  const answer = receiptOf(hashOf(1), { logs: [{ topics: ['no hash'] }] });
  expect(parseReceipt(answer)).not.toHaveProperty('events');
  expect(() => parseWithEvents(answer)).toThrow('does not answer like an EVM node');
});

it('events are the first topics of the logs that have one', () => {
  const logs = [{ topics: [hashOf(1), 'anything'] }, { topics: [] }, { topics: [hashOf(2)] }];
  expect(eventsIn({ logs })).toEqual([hashOf(1), hashOf(2)]);
  expect(eventsIn({})).toEqual([]);
});

it.each([[{ topics: 'x' }], [{}], [null], [{ topics: [1] }]])('a log %j is none of an EVM node', (log) => {
  expect(() => eventsIn({ logs: [log] })).toThrow('does not answer like an EVM node');
});
