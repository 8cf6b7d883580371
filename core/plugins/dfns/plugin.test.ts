import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { ChainType } from '../../api/resources/chainSpecs.ts';
import { planContext } from '../../chains/testing/planContext.ts';
import { describePlugin } from '../testing/conformance.ts';
import { credentialsOf } from './credentials.ts';
import { dfns } from './plugin.ts';

const input = {
  config: {},
  others: [],
  hostOf: planContext.hostOf,
  deriveSecret: planContext.deriveSecret,
  chain: { type: 'Base', chainId: '8453', rpcUrl: 'http://node:8545', wsUrl: 'ws://node:8545' },
} as const;

describe.each(['Ethereum', 'BNB', 'Mantle'] satisfies ChainType[])('the plugin on %s', (type) => {
  describePlugin({ plugin: dfns, config: {}, type });
});

it('has credentials that the SDK accepts, and the server knows only the public key of', () => {
  const { credentials = {}, parts } = dfns.plan(input);
  const { orgId = '', credId, authToken = '', privateKey = '' } = credentials;
  const claims = JSON.parse(Buffer.from(authToken.split('.')[1] ?? '', 'base64url').toString());
  expect(claims['https://custom/app_metadata'].orgId).toBe(orgId);
  expect(orgId).toMatch(/^or-[0-9a-f]{5}-[0-9a-f]{5}-[0-9a-f]{16}$/);
  const config = JSON.parse(parts[0]?.files['/etc/dfns/config.json'] ?? '');
  const publicKey = createPublicKey(createPrivateKey(privateKey)).export({ type: 'spki', format: 'pem' });
  expect(config).toMatchObject({ organisation: orgId, credential: { id: credId, publicKey } });
  expect(JSON.stringify(config)).not.toContain(authToken);
});

it('gives each network other credentials', () => {
  const other = credentialsOf({ deriveSecret: (purpose) => planContext.deriveSecret(`other/${purpose}`) });
  for (const [name, value] of Object.entries(credentialsOf(input))) {
    expect(other[name as keyof typeof other]).not.toBe(value);
  }
});
