import type { Submission } from '../../../../sdk/src/generated/types.ts';
import { createFollowing } from './following.ts';

test('a transaction that is settled stays so, although the stream forgets it when others are settled', () => {
  const following = createFollowing();
  const mined: Submission = {
    kind: 'Submission',
    version: 'v1alpha1',
    hash: '0x1',
    network_id: 'n',
    state: 'mined',
    from: '0x',
    nonce: 1,
    accepted_at: '2030-01-01T00:00:00Z',
  };
  expect(following('n/0x1', undefined)).toBeUndefined();
  expect(following('n/0x1', mined)).toBe(mined);
  expect(following('n/0x1', undefined)).toBe(mined);
  expect(following('n/0x2', undefined)).toBeUndefined();
});
