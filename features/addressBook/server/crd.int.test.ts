import { apiVersion } from '../../../core/api/names.ts';
import { createRawKube, type RawKube } from '../../../core/api/testing/rawKube.ts';
import { testKubeconfig } from '../../../hack/testenv/testKube.ts';

const namespace = `addresses-${process.pid}`;
const path = `/apis/${apiVersion}/namespaces/${namespace}/addressnames`;
const address = `0x${'ab'.repeat(20)}`;

let kube: RawKube;
beforeAll(async () => {
  kube = createRawKube(testKubeconfig());
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  await kube.send('POST', '/api/v1/namespaces', { body });
});
afterAll(() => kube.close());

const create = (name: string, spec: object, query = '') =>
  kube.send('POST', `${path}?fieldValidation=Strict${query}`, {
    body: { apiVersion, kind: 'AddressName', metadata: { name }, spec },
  });

it('kubectl names an address, and shows its name and its note', async () => {
  const { status, body } = await create(address, { name: 'Zoë 🏦', note: 'Safe' });
  expect([status, body.message]).toEqual([201, undefined]);
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const table = (await kube.send('GET', path, { accept })).body as unknown as {
    columnDefinitions: { name: string }[];
    rows: { cells: unknown[] }[];
  };
  expect(table.columnDefinitions.map(({ name }) => name)).toEqual(['Name', 'Called', 'Note', 'Age']);
  expect(table.rows.map(({ cells }) => cells.slice(0, 3))).toEqual([[address, 'Zoë 🏦', 'Safe']]);
});

test.each([
  ['an object that is not named after an address', 'treasury', { name: 'a' }, 'metadata.name'],
  ['an address without a name', address, { note: 'Safe' }, 'spec.name: Required value'],
  ['an empty name', address, { name: '' }, 'spec.name: Invalid value'],
  ['a name that is too long', address, { name: 'a'.repeat(65) }, 'spec.name: Too long'],
  ['a name that begins like an address', address, { name: '0Xa' }, 'must not begin with 0x'],
  ['a name with a line break', address, { name: 'a\nb' }, 'invisible characters'],
  ['a name with text that changes its direction', address, { name: 'a\u202eb' }, 'invisible characters'],
  ['a name with a character without width', address, { name: 'a\u200bb' }, 'invisible characters'],
  ['a name that ends with a blank', address, { name: 'a\u00a0' }, 'begin or end with a blank'],
  ['a note with hidden text', address, { name: 'a', note: 'x\u2066y' }, 'invisible characters'],
])('kubectl is refused %s', async (_what, name, spec, message) => {
  const answer = await create(name, spec, '&dryRun=All');
  expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining(message)]);
});
