import { createRunMemory } from './memory.ts';

const run = { basis: 'pods-1', report: {}, anchor: { block: 1, hash: '0x1' } };

it('knows a run that is done until something that it depended on changes', () => {
  const memory = createRunMemory();
  memory.succeed('net/vrf', run);
  expect(memory.done('net/vrf', 'pods-1')).toEqual(run);
  expect(memory.done('net/vrf', 'pods-2')).toBeUndefined();
  memory.forget('net/vrf');
  expect(memory.done('net/vrf', 'pods-1')).toBeUndefined();
});

it('tries again soon what waits for software that starts, and forgets that once it is done', () => {
  const memory = createRunMemory();
  const rests = Array.from({ length: 5 }, () => memory.wait('net/vrf', 'pods-1', 0));
  expect(rests).toEqual([250, 500, 1000, 2000, 2000]);
  expect([memory.hasTried('net/vrf', 'pods-1'), memory.hasTried('net/vrf', 'pods-2')]).toEqual([true, false]);
  memory.succeed('net/vrf', run);
  expect(memory.hasTried('net/vrf', 'pods-1')).toBe(false);
});

it('leaves a plugin that fails alone for longer and longer, but not once something changed', () => {
  const memory = createRunMemory();
  const rests = Array.from({ length: 7 }, () => memory.fail('net/vrf', 'pods-1', 0));
  expect(rests).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000]);
  expect(memory.restMs('net/vrf', 'pods-1', 100_000)).toBe(500_000);
  expect(memory.restMs('net/vrf', 'pods-2', 100_000)).toBe(0);
  expect(memory.restMs('net/vrf', 'pods-1', 700_000)).toBe(0);
});
