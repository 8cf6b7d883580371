import type { Network } from '../../../../sdk/src/generated/types.ts';
import { listSearch } from '../../lib/listSearch.ts';
import { filterNetworks, isSelector } from './filter.ts';
import { starterForm, starters } from './starters.ts';

function aNetwork(
  name: string,
  type: string,
  more: { state?: string; labels?: Record<string, string> } = {},
): Network {
  return {
    kind: 'Network',
    version: 'v1alpha',
    id: name,
    name,
    spec: { chain: { type } },
    metadata: { name, ...(more.labels ? { labels: more.labels } : {}) },
    ...(more.state ? { status: { state: more.state } } : {}),
  };
}

const networks = [
  aNetwork('solana', 'Solana', { state: 'Operational' }),
  aNetwork('base', 'Base', { state: 'Stopped', labels: { team: 'core' } }),
  aNetwork('new', 'Base'),
];
const names = (search: object) => filterNetworks(networks, listSearch({ ...search })).map(({ name }) => name);

test.each([
  [{}, ['base', 'new', 'solana']],
  [{ q: 'LAN' }, ['solana']],
  [{ selector: 'status.state == Stopped' }, ['base']],
  [{ selector: 'status.state == Pending' }, ['new']],
  [{ selector: 'spec.persistent == false && spec.chain.type == Base' }, ['base', 'new']],
  [{ selector: 'metadata.labels.team != core' }, ['new', 'solana']],
  [{ q: 'ne', selector: 'spec.chain.type IN (Base, Solana)' }, ['new']],
  [{ selector: 'nonsense' }, []],
])('%j selects %j', (search, expected) => {
  expect(names(search)).toEqual(expected);
});

test('a field that the API does not know is not a selector', () => {
  expect([
    isSelector('spec.color == red'),
    isSelector('metadata.labels.color == red'),
    isSelector(''),
  ]).toEqual([false, true, true]);
});

test('what one click starts has a name that the API takes, and a key where the chain needs one', () => {
  const made = starters.map((type) => ({ type, ...starterForm(type) }));
  expect(made.filter(({ form }) => !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(form.name))).toEqual([]);
  expect(made.map(({ type, newKey }) => [type, newKey !== undefined])).toEqual([
    ['Ethereum', true],
    ['Base', true],
    ['Arbitrum', true],
    ['Solana', false],
  ]);
  expect(starterForm('Ethereum').form.name).not.toBe(starterForm('Ethereum').form.name);
});
