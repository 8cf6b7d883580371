import type { Engines } from '../../api/installation.ts';
import { evmChains } from '../../chains/evm/evmChains.ts';
import { graph } from './graph.ts';
import { graphNetworkOf } from './networkNames.ts';

const image = { image: 'x:1', pullPolicy: 'IfNotPresent', allowedImages: [] } as const;
const both = { graph: { ...image, allowedImages: [] }, postgres: { ...image, allowedImages: [] } };
const refusalsOf = (engines: Engines) =>
  graph.refuse?.({ config: {}, type: 'Ethereum', engines, others: [] });

it('needs the images of both its engines', () => {
  expect(refusalsOf(both)).toEqual([]);
  expect(refusalsOf({ graph: both.graph })).toEqual([
    {
      path: '',
      message: expect.stringMatching(/no image for engines.postgres: build it.*ENGINES='postgres'/),
    },
  ]);
  expect(refusalsOf({})).toEqual([
    { path: '', message: expect.stringContaining('engines.graph and engines.postgres') },
  ]);
});

it('only holders of the admin URL deploy and upload', () => {
  const needs = Object.entries(graph.services({})).map(([name, service]) => [name, service.needs]);
  expect(Object.fromEntries(needs)).toEqual({
    ...{ graph: 'public', 'graph-status': 'public' },
    ...{ 'graph-admin': 'admin', ipfs: 'admin' },
  });
});

it.each(evmChains.map(({ type }) => type))('a subgraph names the chain %s as The Graph does', (type) => {
  expect(graphNetworkOf(type)).toMatch(/^[a-z][-a-z]+$/);
});
