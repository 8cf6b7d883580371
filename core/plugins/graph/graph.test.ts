import { evmChains } from '../../chains/evm/evmChains.ts';
import { graph } from './graph.ts';
import { graphNetworkOf } from './networkNames.ts';

it('only holders of the admin URL deploy and upload', () => {
  const needs = Object.entries(graph.services({})).map(([name, service]) => [name, service.needs]);
  expect(Object.fromEntries(needs)).toEqual({
    graph: 'public',
    'graph-status': 'public',
    'graph-admin': 'admin',
    ipfs: 'admin',
  });
});

it.each(evmChains.map(({ type }) => type))('a subgraph names the chain %s as The Graph does', (type) => {
  expect(graphNetworkOf(type)).toMatch(/^[a-z][-a-z]+$/);
});
