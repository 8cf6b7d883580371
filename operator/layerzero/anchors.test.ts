import type { RunResult } from '../../core/deploy/runner.ts';
import { AppError } from '../../core/lib/errors.ts';
import { findRolledBack, isIntact, rememberAnchors } from './anchors.ts';
import type { LayerZeroDeps } from './deps.ts';
import { scopeOf } from './endpoints.ts';
import type { MemberEndpoint, Memory } from './facts.ts';

const hash = `0x${'11'.repeat(32)}`;
const aMemberOf = (id: string, anchor?: number): MemberEndpoint => ({
  name: id,
  id,
  eid: 1,
  enclaveID: 'one',
  incarnation: 'one',
  deployment: 'd',
  endpoint: '0xe',
  messageLib: '0xf',
  ...(anchor === undefined ? {} : { anchor: { block: anchor, hash } }),
});

/** Chains by what they have: the block of that hash, another one, or no answer. */
const chains = (has: Record<string, 'same' | 'other' | 'silent'>) => {
  const chainOf: LayerZeroDeps['chainOf'] = (id) => {
    if (has[id] === 'silent') throw new AppError('Unavailable', `${id} does not answer`);
    return { call: async () => ({ hash: has[id] === 'same' ? hash : '0x' }), send: async () => '' };
  };
  return { deps: { chainOf }, namespace: 'ws', signal: new AbortController().signal };
};
const both = { endpoints: [aMemberOf('a', 5), aMemberOf('b', 5)] };

it('a member that does not answer does not hide that the chain of another one was rolled back', async () => {
  expect(await isIntact(both, chains({ a: 'silent', b: 'other' }))).toBe(false);
  await expect(isIntact(both, chains({ a: 'silent', b: 'same' }))).rejects.toThrow('a does not answer');
  expect(await isIntact(both, chains({ a: 'same', b: 'same' }))).toBe(true);
});

it('only chains that answer and lack their anchors were rolled back', async () => {
  const three = { endpoints: [...both.endpoints, aMemberOf('c'), aMemberOf('d', 5)] };
  const found = await findRolledBack(three, chains({ a: 'silent', b: 'other', c: 'same', d: 'same' }));
  expect([...found]).toEqual(['b']);
});

it.each([
  ['stays where it was while its chain has it', new Set<string>(), 9],
  ['moves back once its chain was rolled back past it', new Set(['a']), 7],
])('the anchor of a member %s', (_reason, rolledBack, block) => {
  const a = aMemberOf('a', 9);
  const memory: Memory = {
    endpoints: new Map([[scopeOf(a), { endpoint: '0xe', messageLib: '0xf' }]]),
    verified: new Map(),
  };
  const outcomes: RunResult['outcomes'] = new Map([
    ['a/endpoint', { state: 'done', anchor: { block: 7, hash } }],
    ['b/endpoint', { state: 'done', anchor: { block: 12, hash } }],
  ]);
  rememberAnchors(memory, { endpoints: [a] }, { outcomes, rolledBack });
  expect(memory.endpoints.get(scopeOf(a))?.anchor?.block).toBe(block);
});
