import type { Stored } from '../../core/api/resources/kubeObject.ts';
import type { AnyObject } from './kinds.ts';
import { livingOf, wavesOf } from './order.ts';

const uidOf = (name: string) => `00000000-0000-4000-8000-${Buffer.from(name.padEnd(6)).toString('hex')}`;

function anObject(
  name: string,
  others: { owners?: string[]; spec?: object; status?: object; isEnding?: boolean } = {},
) {
  const owner = (one: string) => ({ apiVersion: 'v1', kind: 'Any', name: one, uid: uidOf(one) });
  return {
    ...{ apiVersion: 'slipway.dev/v1alpha1', kind: 'Network', spec: { ...others.spec } },
    metadata: {
      ...{ name, namespace: 'ws', uid: uidOf(name), resourceVersion: '1', creationTimestamp: '' },
      ownerReferences: (others.owners ?? []).map(owner),
      ...(others.isEnding ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    ...(others.status ? { status: others.status as Record<string, unknown> } : {}),
  } satisfies Stored<AnyObject>;
}

const namesIn = (waves: AnyObject[][]) => waves.map((wave) => wave.map(({ metadata }) => metadata.name));

it('an object comes after its owners and after what its spec names', () => {
  const objects = [
    anObject('queue', { owners: ['net'], spec: { networkID: uidOf('net') } }),
    anObject('token', { spec: { text: `{"network":"${uidOf('net')}"}` } }),
    anObject('net'),
  ];
  expect(namesIn(wavesOf(objects))).toEqual([['net'], ['queue', 'token']]);
});

it('what a status names does not count, nor what is not in the backup', () => {
  const objects = [
    anObject('a', { status: { other: uidOf('b') } }),
    anObject('b', { spec: { networkID: uidOf('gone') } }),
  ];
  expect(namesIn(wavesOf(objects))).toEqual([['a', 'b']]);
});

it('objects that name each other are ordered by their owners', () => {
  const objects = [
    anObject('child', { owners: ['parent'], spec: { of: uidOf('parent') } }),
    anObject('parent', { spec: { first: uidOf('child') } }),
  ];
  expect(namesIn(wavesOf(objects))).toEqual([['parent'], ['child']]);
});

it('objects that own each other come last, together', () => {
  const objects = [anObject('a', { owners: ['b'] }), anObject('b', { owners: ['a'] }), anObject('free')];
  expect(namesIn(wavesOf(objects))).toEqual([['free'], ['a', 'b']]);
});

it('what was being deleted is left out, with all that belongs to it', () => {
  const objects = [
    anObject('going', { isEnding: true }),
    anObject('child', { owners: ['going'] }),
    anObject('grand', { owners: ['child'] }),
    anObject('stays'),
  ];
  expect(livingOf(objects).map(({ metadata }) => metadata.name)).toEqual(['stays']);
});
