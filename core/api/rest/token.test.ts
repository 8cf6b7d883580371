import { operationOf } from '../operations/operations.ts';
import { requiredArgs } from '../rules/tokenArgs.ts';
import { deploymentSchema } from './token.ts';

test.each([
  ['ERC20', ['total_supply']],
  ['ERC3643', ['total_supply', 'compliance_registry']],
  ['OFT', ['total_supply', 'layer_zero_endpoint']],
  ['CCT', []],
] as const)('%s requires its args', (type, names) => {
  expect(requiredArgs(type)).toEqual(names);
});

test.each([
  ['each of its own', { type: 'CCT', name: 'Example', symbol: 'EXM' }],
  ['a selector beside them', { symbol: 'EXM', selector: "name == 'Example'" }],
])('a token list is filtered by %s', (_how, query) => {
  expect(operationOf('listTokens').query?.parse(query)).toEqual(query);
  expect(operationOf('listTokens').selectable).toEqual(['type', 'name', 'symbol', 'metadata.labels.<key>']);
});

test('a deployment may say that it has no address yet, and why', () => {
  const waiting = { id: 'd', token_id: 't', network_id: 'n', token_address: '', message: 'not mined yet' };
  expect(deploymentSchema.parse(waiting)).toEqual(waiting);
  const { token_address: _, ...without } = waiting;
  expect(deploymentSchema.safeParse(without).success).toBe(false);
});
