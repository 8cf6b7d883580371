import type { RecordedTransaction, ReplayResponse, Submission } from '../../../../sdk/src/generated/types.ts';
import { mappingOf, notesOf, pairsOf, progressOf } from './compare.ts';
import { texts } from './texts.ts';

function recorded(hash: string): RecordedTransaction {
  return {
    hash,
    from: '0xa',
    value: '0',
    data: '0x',
    nonce: 0,
    gas_limit: 1,
    block: 1,
    timestamp: '2030-01-01T00:00:00Z',
    status: 'success',
  };
}

const outcome: ReplayResponse = {
  success: false,
  networks: ['target'],
  totalTransactions: 2,
  transactions: {
    target: [
      { original_hash: '0x1', hash: '0x9', status: 'success', match: true },
      { original_hash: '0x2', status: 'skipped', match: false, differences: ['it was not sent'] },
    ],
  },
  appliedNetworkMapping: { source: 'target' },
};

test('a recording says which blocks it has, or that it has none yet', () => {
  expect([texts.blocks(4, 9), texts.blocks(4, 4), texts.blocks(4, 3)]).toEqual([
    '4 to 9',
    '4 to 4',
    'None yet',
  ]);
});

test('each original is beside its replay', () => {
  const transactions = [recorded('0x1'), recorded('0x2')];
  const document = { networks: { source: { chainId: '1', firstBlock: 1, lastBlock: 2, transactions } } };
  const pairs = pairsOf(document, outcome);
  expect(pairs.map(({ original, replayed }) => [original?.hash, replayed.hash])).toEqual([
    ['0x1', '0x9'],
    ['0x2', undefined],
  ]);
});

test('a recording that went on since is not put beside other replays', () => {
  const transactions = [recorded('0x7')];
  const document = { networks: { source: { chainId: '1', firstBlock: 1, lastBlock: 2, transactions } } };
  expect(pairsOf(document, outcome).map(({ original }) => original)).toEqual([undefined, undefined]);
});

test('what a transaction has beside its call is named', () => {
  expect(notesOf({ ...recorded('0x1'), to: '0xb' })).toEqual([]);
  const one = { chain_id: '0', address: '0xc', nonce: '0', y_parity: 0, r: '0x1', s: '0x1' };
  const access_list = [{ address: '0xc', storage_keys: [] }];
  expect(
    notesOf({ ...recorded('0x1'), access_list, authorizations: [one, one], blob_versioned_hashes: ['0x01'] }),
  ).toEqual(['creates a contract', 'has an access list', '2 authorizations', '1 blob']);
});

test('progress counts what this user submitted on the networks of the replay since it began', () => {
  const sent = (network_id: string, more: Partial<Submission> = {}): Submission => ({
    kind: 'Submission',
    version: 'v1alpha1',
    hash: '0x1',
    network_id,
    state: 'accepted',
    nonce: 0,
    from: '0xa',
    accepted_at: '2030-01-01T00:00:05Z',
    user_id: 'me',
    ...more,
  });
  const all = new Map([
    ['old', sent('target')],
    ['one', sent('target')],
    ['two', sent('target', { settled_at: '2030-01-01T00:00:06Z' })],
    ['three', sent('target', { user_id: 'other' })],
    ['four', sent('elsewhere')],
  ]);
  const run = { networks: ['target'], userId: 'me', before: new Set(['old']) };
  expect(progressOf(all, run)).toEqual({ sent: 2, settled: 1 });
});

test('a network that is gone needs another one to replay on', () => {
  expect(mappingOf(['a', 'b'], {}, (id) => id === 'a')).toBeUndefined();
  expect(mappingOf(['a', 'b'], { b: 'c' }, (id) => id === 'a')).toEqual({ a: 'a', b: 'c' });
});
