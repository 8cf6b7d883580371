import type { NetworkSpec } from '../api/resources/network.ts';
import type { NetworkStatus } from '../api/resources/networkStatus.ts';
import { aNetwork } from '../api/testing/builders.ts';
import { accessEpochsOf, requestRotation, rotatedAccessKeys } from './accessEpochs.ts';

type Rotation = NetworkSpec['accessKeyRotation'];
type Keys = NetworkStatus['accessKeys'];

const networkOf = (rotation: Rotation, accessKeys?: Keys) =>
  aNetwork({
    spec: rotation ? { accessKeyRotation: rotation } : {},
    status: accessKeys ? { accessKeys } : {},
  });
const keys = (publicEpoch: number, publicNonce: number, adminEpoch: number, adminNonce: number): Keys => ({
  public: { epoch: publicEpoch, observedNonce: publicNonce },
  admin: { epoch: adminEpoch, observedNonce: adminNonce },
});

it.each<[string, Rotation, Keys, Keys, object]>([
  ['a new network, which nothing opens yet', undefined, undefined, keys(0, 0, 0, 0), {}],
  [
    'a network that was never rotated',
    undefined,
    keys(0, 0, 0, 0),
    keys(0, 0, 0, 0),
    { public: 0, admin: 0 },
  ],
  [
    'a nonce of zero, which is the same as none',
    { adminNonce: 0 },
    keys(0, 0, 0, 0),
    keys(0, 0, 0, 0),
    { public: 0, admin: 0 },
  ],
  ['a first request', { adminNonce: 1 }, keys(0, 0, 0, 0), keys(0, 0, 1, 1), { public: 0 }],
  ['a request with which a network is created', { adminNonce: 1 }, undefined, keys(0, 0, 1, 1), {}],
  ['a request for both', { publicNonce: 7, adminNonce: 1 }, keys(2, 3, 0, 0), keys(3, 7, 1, 1), {}],
  ['a counted request', { adminNonce: 1 }, keys(0, 0, 1, 1), keys(0, 0, 1, 1), { public: 0, admin: 1 }],
  ['a nonce that was used before', { adminNonce: 1 }, keys(0, 0, 2, 2), keys(0, 0, 3, 1), { public: 0 }],
  [
    'a spec that no longer has the request',
    undefined,
    keys(0, 0, 2, 2),
    keys(0, 0, 2, 2),
    { public: 0, admin: 2 },
  ],
])('%s', (_case, rotation, status, rotated, open) => {
  const network = networkOf(rotation, status);
  expect(rotatedAccessKeys(network)).toEqual(rotated);
  expect(accessEpochsOf(network)).toEqual(open);
});

it.each<[string, Rotation, Keys, Keys]>([
  ['a network without a status begins with them', undefined, undefined, keys(2, 3, 1, 4)],
  ['a request that they know is not counted again', { publicNonce: 3 }, undefined, keys(2, 3, 1, 4)],
  ['another request is counted on', { publicNonce: 4 }, undefined, keys(3, 4, 1, 4)],
  ['of each, the one that was rotated more often counts', undefined, keys(0, 0, 5, 5), keys(2, 3, 5, 5)],
])('the keys that an id had before: %s', (_case, rotation, status, rotated) => {
  const network = networkOf(rotation, status);
  expect(rotatedAccessKeys(network, keys(2, 3, 1, 4))).toEqual(rotated);
});

it('an epoch never returns: each counted request has one that was not there before', () => {
  const seen = [0];
  let status = keys(0, 0, 0, 0);
  for (const adminNonce of [1, 2, 1, 2, 5]) {
    status = rotatedAccessKeys(networkOf({ adminNonce }, status));
    seen.push(status.admin.epoch);
  }
  expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
});

it.each<[string, Rotation, Keys]>([
  ['a first one', undefined, undefined],
  ['one after another', { adminNonce: 4, publicNonce: 1 }, keys(1, 1, 4, 4)],
  ['one while another is pending', { adminNonce: 5, publicNonce: 2 }, keys(1, 1, 4, 4)],
  ['one after the spec lost the former nonce', undefined, keys(1, 1, 4, 4)],
])('a request is due, and keeps what is pending: %s', (_case, rotation, status) => {
  const before = networkOf(rotation, status);
  const accessKeyRotation = requestRotation(before, ['admin']);
  const after = { ...before, spec: { ...before.spec, accessKeyRotation } };
  expect(accessEpochsOf(after).admin).toBeUndefined();
  expect(accessEpochsOf(after).public).toBe(accessEpochsOf(before).public);
});
