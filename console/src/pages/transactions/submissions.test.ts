import type { Submission } from '../../../../sdk/src/generated/types.ts';
import { filterSubmissions, merged, queuesOf } from './submissions.ts';

function aSubmission(nonce: number, state: string, more: Partial<Submission> = {}): Submission {
  return {
    kind: 'Submission',
    version: 'v1alpha1',
    hash: `0x${nonce}`,
    network_id: 'n',
    state,
    nonce,
    from: '0xa',
    accepted_at: `2030-01-01T00:00:0${nonce}Z`,
    ...more,
  };
}

test('a list that was read before its event does not undo it, nor the other way round', () => {
  const listed = [aSubmission(1, 'mined'), aSubmission(2, 'accepted')];
  const live = [aSubmission(1, 'broadcast'), aSubmission(2, 'failed'), aSubmission(3, 'accepted')];
  expect(merged(listed, live).map(({ nonce, state }) => `${nonce} ${state}`)).toEqual([
    ...['1 mined', '2 failed', '3 accepted'],
  ]);
});

test('what was undone and submitted again is shown as it is now', () => {
  const again = aSubmission(1, 'mined', { accepted_at: '2030-01-01T00:01:00Z' });
  const former = aSubmission(1, 'dropped');
  expect(merged([again, former], [])).toEqual([again]);
  const open = { ...again, state: 'accepted' };
  expect(merged([open], [former])).toEqual([open]);
  expect(merged([former], [open])).toEqual([open]);
});

test('the newest comes first, and a selector of the API selects', () => {
  const all = [aSubmission(1, 'mined'), aSubmission(2, 'failed'), aSubmission(3, 'mined')];
  expect(filterSubmissions(all, {}).map(({ nonce }) => nonce)).toEqual([3, 2, 1]);
  expect(filterSubmissions(all, { selector: 'state == failed' }).map(({ nonce }) => nonce)).toEqual([2]);
  expect(filterSubmissions(all, { q: '0x3' }).map(({ nonce }) => nonce)).toEqual([3]);
  expect(filterSubmissions(all, { selector: 'gas == 1' })).toEqual([]);
});

test('a queue is what one sender has open on one network, and its first transaction says what it waits for', () => {
  const all = [
    aSubmission(3, 'accepted', { message: 'waiting for nonce 2' }),
    aSubmission(2, 'broadcast', { message: 'its fee is too low' }),
    aSubmission(1, 'mined'),
    aSubmission(4, 'accepted', { network_id: 'other' }),
  ];
  expect(queuesOf(all)).toEqual([
    {
      network: 'n',
      sender: '0xa',
      open: 2,
      nonce: 2,
      oldestAt: '2030-01-01T00:00:02Z',
      reason: 'its fee is too low',
    },
    { network: 'other', sender: '0xa', open: 1, nonce: 4, oldestAt: '2030-01-01T00:00:04Z', reason: '' },
  ]);
});
