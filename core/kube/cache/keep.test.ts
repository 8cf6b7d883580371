import { asStored } from '../../api/testing/stored.ts';
import type { KubeObject, OwnerReference, Stored } from '../kube.ts';
import { keepIdentity } from './keep.ts';

const ownerOf = (uid: string, name = 'a'): OwnerReference => {
  return { apiVersion: 'slipway.dev/v1alpha1', kind: 'Network', name, uid };
};

function child(name: string, ...ownerReferences: OwnerReference[]): Stored<KubeObject> {
  const labels = { 'slipway.dev/network': ownerReferences[0]?.uid ?? '', other: 'x' };
  const metadata = {
    name,
    namespace: 'n',
    uid: `uid-${name}`,
    resourceVersion: '1',
    labels,
    ownerReferences,
  };
  return asStored({ apiVersion: 'v1', kind: 'Service', metadata });
}

const ownersOf = (object: KubeObject) => object.metadata.ownerReferences;

it('keeps one list of owners for all children of an owner', () => {
  const [one, other] = [
    keepIdentity(child('one', ownerOf('u1'))),
    keepIdentity(child('other', ownerOf('u1'))),
  ];
  expect(ownersOf(one)).toEqual([ownerOf('u1')]);
  expect(ownersOf(one)).toBe(ownersOf(other));
  expect(other.metadata.labels).toEqual({ 'slipway.dev/network': 'u1' });
});

it('keeps what an object says about its owner, even if another says something else', () => {
  keepIdentity(child('one', ownerOf('u2')));
  const forged = keepIdentity(child('forged', ownerOf('u2', 'b')));
  expect(ownersOf(forged)).toEqual([ownerOf('u2', 'b')]);
  expect(ownersOf(keepIdentity(child('other', ownerOf('u2'))))).toEqual([ownerOf('u2')]);
});

it('keeps several owners as they are, and none', () => {
  const owners = [ownerOf('u3'), ownerOf('u4')];
  expect(ownersOf(keepIdentity(child('shared', ...owners)))).toEqual(owners);
  expect(ownersOf(keepIdentity(child('free')))).toEqual([]);
});
