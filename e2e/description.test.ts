import { endRows, networkRows, recordingRows, secretRows, tokenRows } from './contract/endpoints.ts';
import { fieldRows, findField, valueRows, valuesOf } from './contract/fields.ts';
import { addRow, printReport } from './contract/report.ts';
import { gatewayPrefix } from './contract/world.ts';
import { type Answer, call } from './lib/service.ts';

/** Checks the specification's tables against the OpenAPI document of the installed service. */

let document: Answer['body'];
beforeAll(async () => {
  document = (await call('GET', '/openapi.json', { isAnonymous: true })).body;
});
afterAll(printReport);

const endpoints = [...secretRows, ...networkRows, ...recordingRows, ...tokenRows, ...endRows];

it.each([...new Set(endpoints.map(({ method, path }) => `${method} ${path}`))])(
  '%s is documented',
  (name) => {
    const [method = '', path = ''] = name.split(' ');
    expect(document.paths[gatewayPrefix(path) + path]?.[method.toLowerCase()]?.responses).toBeDefined();
  },
);

const rows = fieldRows.flatMap(([object, fields]) =>
  fields.split(' ').map((field): [string, string] => [object, field]),
);

it.each(rows)('%s: %s', (object, field) => {
  const found = findField(document.components.schemas, object, field.replace('!', ''));
  addRow('field', object, field, found ? (found.isRequired ? 'required' : 'optional') : 'missing');
  expect(found).toBeDefined();
  if (field.endsWith('!')) expect(found?.isRequired).toBe(true);
});

it.each(valueRows)('%s: %s is one of %s', (object, field, values) => {
  const found = findField(document.components.schemas, object, field);
  const allowed = valuesOf(found?.schema ?? {});
  addRow('values', object, field, allowed.join(' '));
  expect(allowed).toEqual(expect.arrayContaining(values.split(' ')));
});
