import { z } from 'zod';
import { operationOf } from '../api/operations/operations.ts';
import { deployEndpoints, requiredArgs } from '../api/rules/tokenArgs.ts';
import { issuesOf } from '../api/testing/deployBodies.ts';
import type { TokenDefinition } from './definition.ts';
import { tokenDefinitions } from './registry.ts';
import { standardOf } from './standards.ts';

const definitions: readonly TokenDefinition[] = tokenDefinitions;

it.each([
  ['type', definitions.map(({ type }) => type)],
  ['folder', definitions.map(({ folder }) => folder)],
  ['operation', deployEndpoints.map(({ operationId }) => operationId)],
  ['path', deployEndpoints.map(({ path }) => path)],
])('no two standards have the same %s', (_what, values) => {
  expect(values).toEqual([...new Set(values)]);
});

it.each(tokenDefinitions)('$type has its steps in its folder', ({ type }) => {
  expect(standardOf(type).type).toBe(type);
});

it.each(deployEndpoints)('the example of $operationId is accepted by it', ({ operationId, example }) => {
  const { args, spec } = example;
  const deployments = [{ network_id: 'network-1', args }];
  const body = { name: 'Example', symbol: 'EXM', deployments, ...(spec ? { spec } : {}) };
  expect(issuesOf(operationId, body)).toEqual([]);
  expect(operationOf(operationId).path).toMatch(/\/deploy$/);
});

it.each(deployEndpoints)(
  'the example of $operationId has every arg that is required',
  ({ type, example }) => {
    expect(Object.keys(example.args)).toEqual(expect.arrayContaining(requiredArgs(type)));
  },
);

/** Members of all standards that have them: the custom resource has one schema for each name. */
const shared = Object.entries(
  Object.groupBy(
    definitions.flatMap(({ type, args }) => Object.keys(args).map((member) => ({ type, member, args }))),
    ({ member }) => member,
  ),
).filter(([, owners = []]) => owners.length > 1);

it.each(shared)('%s means the same to each standard that takes it', (member, owners = []) => {
  const formOf = ({ args }: { args: z.core.$ZodLooseShape }) => {
    const { description: _, $schema: __, ...form } = z.toJSONSchema(args[member], { io: 'input' });
    return form;
  };
  const [first, ...others] = owners.map(formOf);
  for (const other of others) expect(other).toEqual(first);
});
