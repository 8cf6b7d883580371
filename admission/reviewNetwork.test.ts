import { chainMembersOf } from '../core/networks/chainChange.ts';
import type { AdmissionRequest } from './review.ts';
import { toReview } from './review.ts';
import { reviewNetwork } from './reviewNetwork.ts';

const chainOf = (ethereum: object = {}) =>
  ({ type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' }, ...ethereum } }) as const;
const incarnation = {
  number: 0,
  revision: 0,
  startedAt: '2030-01-01T00:00:00Z',
  members: chainMembersOf({ chain: chainOf() }),
};
const running = {
  spec: { chain: chainOf() },
  status: { state: 'Operational', chainID: '777', storage: 'Pod', incarnation },
};

function reviewOf(request: Partial<AdmissionRequest>): object {
  const userInfo = { username: 'ann', groups: [] };
  const named = { uid: 'u', namespace: 'ws', name: 'net', userInfo } as const;
  const full: AdmissionRequest = { ...named, operation: 'UPDATE', ...request };
  return toReview('u', reviewNetwork(full));
}

const allowed = { uid: 'u', allowed: true };

it('admits a change that ends the running chain, with a warning', () => {
  const object = { spec: { chain: chainOf({ chainID: '778' }) } };
  const message =
    'spec.chain.ethereum.chainID starts a new chain: the running chain and its data are deleted';
  const review = reviewOf({ object, oldObject: running });
  expect(review).toMatchObject({ response: { ...allowed, warnings: [message] } });
});

it('admits fields that have no effect with a warning, when they are new', () => {
  const object = { spec: { chain: chainOf({ ejectionBalance: 1 }) } };
  const warnings = [expect.stringMatching(/^ejectionBalance has no effect without .*participants/)];
  expect(reviewOf({ operation: 'CREATE', object })).toMatchObject({ response: { ...allowed, warnings } });
  expect(reviewOf({ object, oldObject: running })).toMatchObject({ response: { ...allowed, warnings } });
  expect(JSON.stringify(reviewOf({ object, oldObject: object }))).not.toContain('warnings');
});

it.each<[string, Partial<AdmissionRequest>]>([
  [
    'what the engine takes over',
    { object: { spec: { chain: chainOf({ blockTime: 2 }) } }, oldObject: running },
  ],
  ['a new network', { operation: 'CREATE', object: { spec: { chain: chainOf() } } }],
  ['a deletion', { operation: 'DELETE', oldObject: running }],
  ['a spec that its schema refuses', { object: { spec: { chain: 7 } }, oldObject: running }],
])('admits %s without a warning', (_reason, request) => {
  expect(reviewOf(request)).toMatchObject({ response: allowed });
  expect(JSON.stringify(reviewOf(request))).not.toContain('warnings');
});
