import { newCaptureState } from './captureState.ts';
import { remember, standingOf } from './sameChain.ts';

const read = { lastHash: 'last', baseHash: 'base', genesisHash: 'genesis', secondHash: 'second' };
const rolledBack = [undefined, 'base', 'genesis', 'second'];
const toStart = [undefined, undefined, 'genesis', undefined];
const same = ['last', 'base', 'genesis', 'second'];

it.each<[string, object, { hashes: (string | undefined)[]; instance?: string }, string]>([
  ['the same blocks', { instanceID: 'a' }, { hashes: same, instance: 'a' }, 'same'],
  ['a rollback', { instanceID: 'a' }, { hashes: rolledBack, instance: 'a' }, 'rolledBack'],
  ['a rollback to block 0', { instanceID: 'a' }, { hashes: toStart, instance: 'a' }, 'rolledBack'],
  ['another process with the same blocks', { instanceID: 'a' }, { hashes: same, instance: 'b' }, 'restarted'],
  ['another process with fewer', { instanceID: 'a' }, { hashes: rolledBack, instance: 'b' }, 'restored'],
  ['another process at block 0', { instanceID: 'a' }, { hashes: toStart, instance: 'b' }, 'new'],
  ['another block 0', {}, { hashes: [undefined, undefined, 'other', 'x'] }, 'new'],
  ['another block 1', {}, { hashes: [undefined, undefined, 'genesis', 'x'] }, 'new'],
  ['lost blocks of an unknown process', {}, { hashes: rolledBack }, 'unclear'],
])('%s', (_case, progress, { hashes, instance }, standing) => {
  const state = newCaptureState({ network: 'net', ...read, ...progress });
  expect(standingOf(state, { head: 9, hashes, instance })).toBe(standing);
});

it('block 1 is remembered once it exists, and the process that loaded the chain', () => {
  const state = newCaptureState({ network: 'net', lastHash: 'genesis', genesisHash: 'genesis' });
  remember(state, { head: 1, hashes: ['genesis', 'genesis', 'genesis', 'second'], instance: 'b' });
  expect(state.progress).toMatchObject({ secondHash: 'second', instanceID: 'b' });
});
