import { type OperationId, operationOf, operations } from '../operations/operations.ts';
import { detailsOf } from '../rules/issues.ts';
import { aSecretInput, aTransactionItem, testAddress } from '../testing/builders.ts';
import { replayVersion } from './replay.ts';
import { transactionItemSchema } from './transaction.ts';

function pathsOf(id: OperationId, body: unknown): string[] {
  const parsed = operationOf(id).body?.safeParse(body);
  if (!parsed) throw new Error(`${id} takes no body`);
  return parsed.success ? [] : detailsOf(parsed.error).map(({ path }) => path);
}

const submit = (...items: object[]) => ({ transactions_by_network: { n: items } });
const hash = `0x${'ab'.repeat(32)}`;
const recorded = {
  hash,
  from: testAddress,
  value: '0',
  data: '0x6001',
  nonce: 0,
  gas_limit: 21_000,
  block: 3,
  timestamp: '2026-01-15T09:30:00Z',
  status: 'success',
};
const authorization = {
  chain_id: '0',
  address: testAddress,
  nonce: `${2n ** 64n - 1n}`,
  y_parity: 1,
  r: '0x5',
  s: '0x6',
  applied: true,
};
const recordedInFull = {
  ...recorded,
  type: 4,
  gas_price: '2',
  max_fee_per_gas: '3',
  max_priority_fee_per_gas: '1',
  access_list: [{ address: testAddress, storage_keys: [hash] }],
  authorizations: [authorization],
  max_fee_per_blob_gas: '1',
  blob_versioned_hashes: [hash],
};
const document = (transaction: object = recorded) => ({
  version: replayVersion,
  networks: { n: { chainId: '1', firstBlock: 1, lastBlock: 3, transactions: [transaction] } },
});
const item = (overrides: object) => submit({ ...aTransactionItem(), ...overrides });

test.each<[string, OperationId, unknown]>([
  ['a transfer', 'submitTransactions', submit(aTransactionItem())],
  ['contract creation', 'submitTransactions', submit({ from: testAddress, value: '0', data: '0x6001' })],
  ['only what a transfer needs', 'submitTransactions', submit({ to: testAddress, value: '1' })],
  ['nulls for what is omitted', 'submitTransactions', item({ from: null, data: null, gas_limit: null })],
  ['contract creation with to: null', 'submitTransactions', item({ to: null, data: '0x6001' })],
  ['no fees', 'submitTransactions', item({ max_fee_per_gas: null, max_priority_fee_per_gas: null })],
  ['empty data', 'submitTransactions', item({ data: '' })],
  ['data without 0x', 'submitTransactions', item({ data: '6001' })],
  ['amounts in hexadecimal', 'submitTransactions', item({ value: '0xff', gas_limit: 21_000 })],
  ['fees', 'submitTransactions', item({ max_fee_per_gas: '9', max_priority_fee_per_gas: '1' })],
  ['the largest amount', 'submitTransactions', item({ value: `${2n ** 256n - 1n}` })],
  ['a recording', 'startRecording', { userAddress: testAddress, networkIds: ['n'] }],
  ['its end', 'stopRecording', { recordingId: 'r' }],
  [
    'a replay of a recording',
    'replayRecording',
    { recordingId: 'r', networkMapping: { n: 'm' }, dryRun: true },
  ],
  ['a replay of a document', 'replayRecording', { replayDocument: document(recordedInFull) }],
  [
    'a replay of a document of before types were recorded',
    'replayRecording',
    { replayDocument: document(recorded) },
  ],
  [
    'the recorded_data of a recording as a document',
    'replayRecording',
    { replayDocument: { networks: document().networks } },
  ],
  ['a secret', 'createSecret', aSecretInput()],
  ['a secret of any type', 'createSecret', aSecretInput({ type: 'whatever you like' })],
  [
    'a secret named in metadata',
    'createSecret',
    { ...aSecretInput(), name: undefined, metadata: { name: 'a' } },
  ],
  ['a workspace', 'createWorkspace', { name: 'team-a', description: 'x' }],
  ['a role', 'replaceMembership', { role: 'viewer' }],
  ['an invitation', 'createInvitation', { email: 'ada@example.com', role: 'admin' }],
  ['its acceptance', 'acceptInvitation', { token: 't' }],
  ['a narrow API key', 'createApiKey', { name: 'ci', role: 'developer', permissions: ['networks:read'] }],
])('accepts %s', (_reason, id, body) => {
  expect(pathsOf(id, body)).toEqual([]);
});

test.each([
  ['absent', {}, '0x'],
  ['null', { data: null }, '0x'],
  ['empty', { data: '' }, '0x'],
  ['without 0x', { data: '60aF' }, '0x60aF'],
  ['with 0x', { data: '0x60' }, '0x60'],
])('data that is %s becomes bytes in 0x-prefixed hexadecimal', (_what, given, data) => {
  const read = transactionItemSchema.parse({ to: testAddress, value: '0', ...given });
  expect(read).toEqual({ to: testAddress, value: '0', data });
});

const first = 'transactions_by_network.n[0]';

test.each<[string, OperationId, unknown, string[]]>([
  ['no networks', 'submitTransactions', { transactions_by_network: {} }, ['transactions_by_network']],
  ['no transactions', 'submitTransactions', submit(), ['transactions_by_network.n']],
  ['a negative amount', 'submitTransactions', item({ value: '-1' }), [`${first}.value`]],
  ['an amount beyond uint256', 'submitTransactions', item({ value: `${2n ** 256n}` }), [`${first}.value`]],
  ['an amount as a number', 'submitTransactions', item({ value: 1 }), [`${first}.value`]],
  ['half a byte', 'submitTransactions', item({ data: '0x1' }), [`${first}.data`]],
  ['half a byte without 0x', 'submitTransactions', item({ data: '1' }), [`${first}.data`]],
  ['neither recipient nor code', 'submitTransactions', item({ to: null, data: '' }), [`${first}.data`]],
  ['gas of zero', 'submitTransactions', item({ gas_limit: 0 }), [`${first}.gas_limit`]],
  ['an unknown field', 'submitTransactions', item({ gasLimit: 1 }), [`${first}.gasLimit`]],
  ['a creation without code', 'submitTransactions', item({ to: undefined }), [`${first}.data`]],
  ['an empty item', 'submitTransactions', submit({}), [`${first}.value`]],
  ['a short address', 'startRecording', { userAddress: '0x1', networkIds: ['n'] }, ['userAddress']],
  ['no networks to record', 'startRecording', { userAddress: testAddress, networkIds: [] }, ['networkIds']],
  ['a network twice', 'startRecording', { userAddress: testAddress, networkIds: ['n', 'n'] }, ['networkIds']],
  ['a stop of nothing', 'stopRecording', {}, ['recordingId']],
  ['a replay of nothing', 'replayRecording', {}, ['recordingId']],
  [
    'a replay of two things',
    'replayRecording',
    { recordingId: 'r', replayDocument: document() },
    ['recordingId'],
  ],
  [
    'a document of another version',
    'replayRecording',
    { replayDocument: { ...document(), version: 'v9' } },
    ['replayDocument.version'],
  ],
  [
    'an invalid transaction in a document, by its path',
    'replayRecording',
    { replayDocument: document({ ...recorded, status: 'odd' }) },
    ['replayDocument.networks.n.transactions[0].status'],
  ],
  ['a secret without its parts', 'createSecret', {}, ['data', 'name', 'type']],
  ['a secret that is not base64', 'createSecret', aSecretInput({ data: 'a b' }), ['data']],
  ['a secret beyond 64 KiB', 'createSecret', aSecretInput({ data: 'A'.repeat(87_388) }), ['data']],
  ['a workspace with a bad name', 'createWorkspace', { name: 'Team A' }, ['name']],
  ['an unknown role', 'replaceMembership', { role: 'king' }, ['role']],
  ['an invalid e-mail address', 'createInvitation', { email: 'ada', role: 'admin' }, ['email']],
  [
    'an unknown permission',
    'createApiKey',
    { name: 'ci', role: 'viewer', permissions: ['fly'] },
    ['permissions[0]'],
  ],
])('refuses %s', (_reason, id, body, paths) => {
  expect(pathsOf(id, body).sort()).toEqual([...paths].sort());
});

test.each([
  ['an unknown parameter', 'listNetworks', { colour: 'red' }, ['colour']],
  ['a limit of zero', 'listNetworks', { limit: '0' }, ['limit']],
  ['a limit below zero', 'listNetworks', { limit: '-1' }, ['limit']],
  ['a limit sent twice', 'listNetworks', { limit: ['1', '2'] }, ['limit']],
  ['an unknown state', 'listRecordings', { state: 'paused' }, ['state']],
] as const)('a query with %s is refused', (_reason, id, query, paths) => {
  const parsed = operationOf(id).query?.safeParse(query);
  expect(detailsOf(parsed!.error!).map(({ path }) => path)).toEqual(paths);
});

test('a limit above the maximum is accepted', () => {
  expect(operationOf('listNetworks').query?.parse({ limit: '501' })).toEqual({ limit: 501 });
});

test('a limit is a number once parsed', () => {
  expect(operationOf('listNetworks').query?.parse({ limit: '20' })).toEqual({ limit: 20 });
});

describe('a key named __proto__', () => {
  test('is not accepted as a network', () => {
    const items = JSON.stringify([aTransactionItem()]);
    const body = JSON.parse(`{"transactions_by_network":{"__proto__":${items}}}`);
    expect(pathsOf('submitTransactions', body)).toEqual(['transactions_by_network']);
  });

  test('does not affect free-form objects', () => {
    const body = JSON.parse('{"networks":["n"],"args":{"__proto__":{"owner":"x"},"total_supply":"1"}}');
    const parsed = operations.addDeployments.body.parse(body);
    expect(parsed.args).toEqual({ total_supply: '1' });
    expect(parsed.args?.owner).toBeUndefined();
  });
});
