import { Validator } from '@seriousme/openapi-schema-validator';
import { errorTable } from '../../lib/errors.ts';
import { documentedPath, errorStatuses } from '../operations/operation.ts';
import { type OperationId, operationIds, operationOf } from '../operations/operations.ts';
import { namedSchemas } from './components.ts';
import { examples } from './examples.ts';
import { buildOpenApi } from './openapi.ts';

const document = buildOpenApi();

interface Documented {
  operationId: string;
  parameters: { name?: string; in?: string; $ref?: string }[];
  requestBody?: { content: object };
  responses: Record<string, { $ref?: string; headers?: object; content?: object }>;
  security?: unknown[];
}

function documented(id: OperationId): Documented {
  const operation = operationOf(id);
  const item = document.paths[documentedPath(operation)] ?? {};
  return item[operation.method.toLowerCase()] as Documented;
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === '$ref' && typeof member === 'string' ? [member] : referencesIn(member),
  );
}

test('is a valid OpenAPI 3.1 document', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  expect([valid, errors]).toEqual([true, undefined]);
  expect(validator.version).toBe('3.1');
});

test('every reference resolves', () => {
  const components = document.components as Record<string, Record<string, unknown>>;
  const dangling = [...new Set(referencesIn(document))].filter((reference) => {
    const [, , kind = '', name = ''] = reference.split('/');
    return components[kind]?.[name] === undefined;
  });
  expect(dangling).toEqual([]);
});

test('every named schema is used', () => {
  const used = new Set(referencesIn(document).map((reference) => reference.split('/').at(-1)));
  expect(Object.keys(namedSchemas).filter((name) => !used.has(name))).toEqual([]);
});

test('the same table gives the same document', () => {
  expect(buildOpenApi()).toEqual(document);
});

test('Kubernetes extensions are not exposed', () => {
  expect(JSON.stringify(document)).not.toContain('x-kubernetes');
});

describe.each(operationIds)('%s', (id) => {
  const operation = operationOf(id);
  const entry = documented(id);

  test('is documented with its responses', () => {
    expect(entry.operationId).toBe(id);
    const statuses = Object.keys(entry.responses).map(Number).sort();
    expect(statuses).toEqual([operation.success.status, ...errorStatuses(operation)].sort());
    for (const status of errorStatuses(operation)) {
      const row = Object.entries(errorTable).find(([, error]) => error.status === status);
      expect(entry.responses[status]?.$ref).toBe(`#/components/responses/${row?.[0]}`);
    }
  });

  test('its body, path and query parameters are documented', () => {
    expect(entry.requestBody !== undefined).toBe(operation.body !== undefined);
    const names = entry.parameters.filter((one) => one.in !== undefined).map((one) => one.name);
    const shapes = { ...operation.params?.shape, ...operation.query?.shape };
    expect(names).toEqual(Object.keys(shapes));
  });

  test('needs credentials unless it is public', () => {
    expect(entry.security === undefined).toBe(operation.permission !== '');
  });
});

const given = Object.entries(examples).flatMap(([id, { request, response }]) => {
  const operation = operationOf(id as OperationId);
  return [
    { name: `request of ${id}`, schema: operation.body, example: request },
    { name: `answer of ${id}`, schema: operation.success.schema, example: response },
  ].filter(({ example }) => example !== undefined);
});

test.each(given)('the example is valid: $name', ({ schema, example }) => {
  expect(schema?.safeParse(example).error).toBeUndefined();
});

test('operations that take a body have an example body', () => {
  const bare = operationIds.filter((id) => operationOf(id).body && examples[id]?.request === undefined);
  expect(bare).toEqual([]);
});

test.each([
  ['createNetwork', '201', ['X-Request-ID', 'Location', 'ETag', 'Warning']],
  ['getNetwork', '200', ['X-Request-ID', 'ETag']],
  ['createSecret', '201', ['X-Request-ID', 'Location', 'ETag']],
  ['getSecret', '200', ['X-Request-ID', 'ETag']],
  ['listSecrets', '200', ['X-Request-ID']],
  ['replaceNetwork', '200', ['X-Request-ID', 'ETag', 'Warning']],
  ['listNetworks', '200', ['X-Request-ID', 'Warning']],
  ['deleteToken', '204', ['X-Request-ID']],
] as const)('%s documents the headers of %s', (id, status, names) => {
  expect(Object.keys(documented(id).responses[status]?.headers ?? {})).toEqual(names);
});

test.each(['TooManyRequests', 'Unavailable'])('%s documents Retry-After', (reason) => {
  expect(JSON.stringify(document.components.responses[reason])).toContain('Retry-After');
});
