import type { NetworkResource } from '../../core/api/resources/network.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { asStored } from '../../core/api/testing/stored.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { createSortedByName, type SortedByName } from './sortedByName.ts';

const namespace = 'ws';
let stored: Map<string, Stored<NetworkResource>>;
let sorted: SortedByName<NetworkResource>;
let fullReads: number;

const put = (name: string) => {
  stored.set(name, asStored(aNetwork({ name, namespace })));
  sorted.changed({ namespace, name });
};
const remove = (name: string) => {
  stored.delete(name);
  sorted.changed({ namespace, name });
};
const names = () => sorted.of(namespace).map(({ metadata }) => metadata.name);

beforeEach(() => {
  fullReads = 0;
  stored = new Map();
  sorted = createSortedByName<NetworkResource>({
    all() {
      fullReads += 1;
      return [...stored.values()];
    },
    present: (_namespace, name) => stored.get(name),
  });
  for (const name of ['d', 'b', 'f']) put(name);
  names();
});

it('what came and what went is in its place, without a look at the others', () => {
  for (const name of ['e', 'a', 'g', 'c']) put(name);
  remove('d');
  remove('never there');
  expect(names()).toEqual(['a', 'b', 'c', 'e', 'f', 'g']);
  expect(fullReads).toBe(1);
});

it('what changed is replaced by its newest version', () => {
  put('b');
  expect(sorted.of(namespace)[0]).toBe(stored.get('b'));
  expect(names()).toEqual(['b', 'd', 'f']);
});

it('an array that was returned stays as it is', () => {
  const before = sorted.of(namespace);
  put('a');
  names();
  expect(before.map(({ metadata }) => metadata.name)).toEqual(['b', 'd', 'f']);
});

it('random changes, few or many at a time, give what sorting all gives', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 16807) % 2147483647;
    return seed % below;
  };
  for (let turn = 0; turn < 60; turn++) {
    const changes = turn % 10 === 0 ? 300 : random(8);
    for (let at = 0; at < changes; at++) (random(3) === 0 ? remove : put)(`n${random(400)}`);
    expect(names()).toEqual([...stored.keys()].sort());
  }
});
