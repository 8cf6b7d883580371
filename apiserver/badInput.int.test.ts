import { networkType } from '../core/api/resources/resources.ts';
import { createTestKube } from '../hack/testenv/testKube.ts';
import type { TestApi } from './testing/harness.ts';
import { startReplicas } from './testing/replicas.ts';

const kube = createTestKube();
let api: TestApi;
let one: string;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ api, one, stop } = await startReplicas(kube));
});
afterAll(async () => {
  await stop();
  await kube.close();
});

describe('bad input is 400, names every invalid field, and never reaches the cluster', () => {
  const ethereum = { privateKeyRef: { name: 'hot-key' }, gasLimit: 30_000_000 };
  const spec = { chain: { type: 'Ethereum', ethereum } };
  const withChain = (chain: object) => ({ name: 'bad', spec: { chain } });
  const withEthereum = (more: object) => withChain({ type: 'Ethereum', ethereum: { ...ethereum, ...more } });
  it.each<[string, unknown, string[]]>([
    ['no name', { spec }, ['name']],
    ['a name that is not a label', { name: 'Bad_Name', spec }, ['name']],
    ['a name of 64 letters', { name: 'a'.repeat(64), spec }, ['name']],
    ['no spec', { name: 'bad' }, ['spec']],
    ['a spec that is a string', { name: 'bad', spec: 'x' }, ['spec']],
    ['no chain', { name: 'bad', spec: {} }, ['spec.chain']],
    ['no type', withChain({ ethereum }), ['spec.chain.type']],
    ['an unknown type', withChain({ type: 'Bitcoin', ethereum }), ['spec.chain.type']],
    ['no member for the type', withChain({ type: 'Ethereum' }), ['spec.chain.ethereum']],
    ['two chain specs', withChain({ type: 'Ethereum', ethereum, base: {} }), ['spec.chain.base']],
    [
      'the member of another type',
      withChain({ type: 'Base', ethereum }),
      ['spec.chain.base', 'spec.chain.ethereum'],
    ],
    ['no key', withChain({ type: 'Ethereum', ethereum: {} }), ['spec.chain.ethereum.privateKeyRef']],
    ['a chain id that is a number', withEthereum({ chainID: 5 }), ['spec.chain.ethereum.chainID']],
    ['a block time that is a string', withEthereum({ blockTime: '1' }), ['spec.chain.ethereum.blockTime']],
    ['half a second', withEthereum({ blockTime: 0.5 }), ['spec.chain.ethereum.blockTime']],
    ['null', withEthereum({ gasLimit: null }), ['spec.chain.ethereum.gasLimit']],
    [
      'a reference that is a string',
      withEthereum({ privateKeyRef: 'k' }),
      ['spec.chain.ethereum.privateKeyRef'],
    ],
    [
      'unknown fields at every level',
      {
        name: 'bad',
        a: 1,
        spec: { b: 1, chain: { type: 'Ethereum', c: 1, ethereum: { ...ethereum, d: 1 } } },
      },
      ['a', 'spec.b', 'spec.chain.c', 'spec.chain.ethereum.d'],
    ],
    [
      'an unknown action',
      { name: 'bad', spec: { ...spec, maintenanceRequest: { action: 'Explode', nonce: -1 } } },
      ['spec.maintenanceRequest.action', 'spec.maintenanceRequest.nonce'],
    ],
    ['another kind', { kind: 'Secret', name: 'bad', spec }, ['kind']],
    ['another version', { version: 'v9', name: 'bad', spec }, ['version']],
    [
      'a type that is not available yet',
      withChain({ type: 'Thorchain', thorchain: {} }),
      ['spec.chain.type'],
    ],
  ])('%s', async (_reason, body, paths) => {
    const { status, json } = await api.request('/v1alpha/networks', { body });
    expect(status).toBe(400);
    expect(json.reason).toBe('BadRequest');
    expect(json.details.map(({ path }: { path: string }) => path).sort()).toEqual(paths);
    expect(json.details.every(({ message }: { message: string }) => message.length > 0)).toBe(true);
    expect(await kube.get(networkType, { namespace: one, name: 'bad' })).toBeUndefined();
  });
});
