import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client } from './generated/client.gen.js';
import {
  createNetwork,
  createSecret,
  deleteNetwork,
  deleteSecret,
  getNetwork,
  listNetworks,
} from './generated/sdk.gen.js';

const { SLIPWAY_URL = '', SLIPWAY_API_KEY = '', PRIVATE_KEY = '' } = process.env;
const [keyId = '', keySecret = ''] = SLIPWAY_API_KEY.split('.');

const name = `openapi-${Date.now().toString(36)}`;
const spec = { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name } } } } as const;

/** Both ways to sign in that the document describes. */
const credentials: [string, Parameters<typeof client.setConfig>[0]][] = [
  ['a bearer token', { auth: ({ scheme }) => (scheme === 'bearer' ? SLIPWAY_API_KEY : undefined) }],
  [
    'an id and a secret',
    {
      auth: ({ name: header }) => ({ 'X-API-Key-ID': keyId, 'X-API-Key-Secret': keySecret })[header ?? ''],
    },
  ],
];

for (const [way, config] of credentials) {
  test(`a client that a generator made from /openapi.json runs a network, with ${way}`, async () => {
    client.setConfig({ baseUrl: SLIPWAY_URL, throwOnError: true, ...config });
    const data = Buffer.from(PRIVATE_KEY.replace(/^0x/, ''), 'hex').toString('base64');
    const secret = await createSecret({ body: { name, type: 'private-key', data }, throwOnError: true });
    const created = await createNetwork({ body: { name, spec }, throwOnError: true });
    const { id } = created.data;
    try {
      assert.equal(created.response.status, 201);
      assert.equal(created.data.status?.state, 'Pending');
      for (let state: string | undefined; state !== 'Operational'; ) {
        const { data: network } = await getNetwork({ path: { id }, throwOnError: true });
        state = network.status?.state;
        assert.notEqual(state, 'Error', network.status?.message);
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      const found = await listNetworks({
        query: { selector: `metadata.name == ${name}` },
        throwOnError: true,
      });
      assert.deepEqual(
        found.data.items.map((network) => network.id),
        [id],
      );
    } finally {
      await deleteNetwork({ path: { id }, throwOnError: true });
    }
    // Refused until the network is gone.
    for (;;) {
      const { response } = await deleteSecret({ path: { id: secret.data.id }, throwOnError: false });
      if (response?.status === 200) break;
      assert.equal(response?.status, 409);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  });
}

test('errors have the shape that the document describes', async () => {
  const { error, response } = await getNetwork({ path: { id: 'unknown' }, throwOnError: false });
  assert.equal(response?.status, 404);
  assert.ok(error);
  assert.equal(error.reason, 'NotFound');
});
