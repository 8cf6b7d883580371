import { rowsOf } from './rows.ts';

const stored = (work: string) => ({ bench: 'b', work, ratio: 1, least: 1, most: 1 });
const measured = (work: string) => ({ work, is: 'atMost' as const, value: 1 });

it('has a row for what is stored, what is measured, and what is both', () => {
  const rows = rowsOf([measured('both'), measured('new')], [stored('lost'), stored('both')]);
  expect(rows.map(({ work, verdict }) => [work, verdict])).toEqual([
    ['both', 'same'],
    ['new', 'not stored'],
    ['lost', 'not measured'],
  ]);
});
