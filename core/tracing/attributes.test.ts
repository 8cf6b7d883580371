import { operationIds, operationOf } from '../api/operations/operations.ts';
import { allowedAttributes, type SpanAttributes, spanAttributeNames, titleOf } from './attributes.ts';

const secrets: [string, string][] = [
  ['an access key', 'q83vEjRWeJASNFZ4kBI0VniQ'],
  ['the path of an access key', '/rpc/1b4e28ba-2fa1-11d2-883f-0016d3cca427/q83vEjRWeJASNFZ4kBI0VniQ/rpc'],
  ['the URL of a node', 'https://mainnet.example.com/v3/0123456789abcdef0123456789abcdef'],
  ['a private key', `0x${'4f3edf983ac636a65a842ce7c78d9aa7'.repeat(2)}`],
  ['a private key without its prefix', '4f3edf983ac636a65a842ce7c78d9aa7'.repeat(2)],
  ['credentials', 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.ZRrHA1JJJW8opsbCGfG'],
  ['sealed data', 'slipway:v1:k1:c2VhbGVk'],
  ['a mnemonic', 'test test test test test test test test test test test junk'],
  ['a body', '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[]}'],
  ['an e-mail address', 'ada@example.com'],
  ['a password', 'correct horse'],
];

it.each(secrets)('no attribute and no name of a span can hold %s', (_what, secret) => {
  const everywhere = Object.fromEntries(spanAttributeNames.map((name) => [name, secret]));
  const allowed = allowedAttributes(everywhere);
  expect(allowed).toEqual({});
  expect(titleOf('rpc', allowed)).toBe('rpc');
});

it('an attribute that is not in the list is left out', () => {
  const given = { 'http.url': 'x', 'slipway.state': 'Ready', 'db.statement': 'x' } as SpanAttributes;
  expect(allowedAttributes(given)).toEqual({ 'slipway.state': 'Ready' });
});

it('every operation can be named', () => {
  for (const id of operationIds) {
    const { method, path } = operationOf(id);
    const attributes = { 'http.request.method': method, 'http.route': path, 'slipway.operation': id };
    expect(allowedAttributes(attributes)).toEqual(attributes);
    expect(titleOf('request', attributes)).toBe(`${method} ${path}`);
  }
});

it.each([
  'eth_getTransactionByBlockHashAndIndex',
  'web3_sha3',
  'getSlot',
  'engine_newPayloadV4',
  'broadcast_tx_sync',
  'net_version',
])('the method %s can be named', (method) => {
  expect(allowedAttributes({ 'rpc.method': method })).toEqual({ 'rpc.method': method });
  expect(titleOf('rpc', { 'rpc.method': method })).toBe(`rpc ${method}`);
});
