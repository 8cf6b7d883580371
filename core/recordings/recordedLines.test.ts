import { randomBytes } from 'node:crypto';
import type { RecordedTransaction } from '../api/rest/replay.ts';
import { packLines } from '../lib/json/packedLines.ts';
import { formatLine, parseLine, unpackChunks } from './recordedLines.ts';

const transaction: RecordedTransaction = {
  hash: `0x${'1'.repeat(64)}`,
  from: `0x${'a'.repeat(40)}`,
  value: '0',
  data: '0x00',
  nonce: 0,
  gas_limit: 21_000,
  block: 1,
  timestamp: '2026-01-15T09:30:00Z',
  status: 'success',
};

test('a line is read as it was written', () => {
  const line = { block_hash: `0x${'2'.repeat(64)}`, transaction };
  expect(parseLine(formatLine(line))).toEqual(line);
});

test('lines survive packing into chunks, wherever the data is cut', async () => {
  const lines = Array.from({ length: 50 }, () => randomBytes(2000).toString('hex'));
  const data = await packLines(lines);
  const size = 20_000;
  const pieces = Array.from({ length: Math.ceil(data.length / size) }, (_, at) => ({
    data: data.slice(at * size, (at + 1) * size),
    continues: (at + 1) * size < data.length,
  }));
  expect(pieces.length).toBeGreaterThan(3);
  const more = { data: await packLines(['next']) };
  expect(await unpackChunks([...pieces, more])).toEqual([...lines, 'next']);
  expect(await unpackChunks([more, ...pieces.slice(0, -1)])).toEqual(['next']);
});

test('chunks without lines unpack to nothing', async () => {
  expect(await unpackChunks([{ data: await packLines([]) }, { data: await packLines(['x']) }])).toEqual([
    'x',
  ]);
});
