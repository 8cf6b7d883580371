import { testKubeconfig } from '../../../hack/testenv/testKube.ts';
import { apiVersion } from '../names.ts';
import { aNetwork, aRecording, aSecret, aToken, testAddress } from '../testing/builders.ts';
import { type CrdHarness, createCrdHarness, types } from '../testing/crdHarness.ts';
import type { KubeObject } from './kubeObject.ts';

let harness: CrdHarness;

beforeAll(async () => {
  const namespace = `crd-objects-${process.pid}`;
  harness = await createCrdHarness(testKubeconfig(), namespace);
});
afterAll(() => harness.kube.close());

async function create(object: KubeObject) {
  const answer = await harness.create(object);
  expect([answer.status, answer.body.message]).toEqual([201, undefined]);
}

describe('a change', () => {
  test.each<[string, KubeObject, object, string]>([
    [
      'of the chain type is refused',
      aNetwork({ name: 'fixed' }),
      { chain: { type: 'Base', ethereum: null, base: {} } },
      'spec.chain.type: Invalid value: "object": spec.chain.type is immutable',
    ],
    [
      'of the symbol of a token is refused',
      aToken({ name: 'fixed' }),
      { symbol: 'X' },
      'spec.symbol is immutable',
    ],
    [
      'of the args of a deployment alone is refused',
      aToken({ name: 'fixed-args' }),
      { deployments: [{ network: 'my-network', args: { total_supply: '5' } }] },
      'the args of a deployment change only with its nonce',
    ],
    [
      'of the wallet of a recording is refused',
      aRecording({ name: 'fixed' }),
      { userAddress: `0x${'1'.repeat(40)}` },
      'spec.userAddress is immutable',
    ],
    [
      'that starts a recording again is refused',
      aRecording({ name: 'ended', spec: { stopped: true } }),
      { stopped: false },
      'cannot be restarted',
    ],
  ])('%s', async (_reason, object, spec, message) => {
    await create(object);
    const answer = await harness.kube.send('PATCH', harness.pathOf(object.kind, object.metadata.name), {
      body: { spec },
    });
    expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining(message)]);
  });

  test('of other fields of a chain spec is accepted', async () => {
    await create(aNetwork({ name: 'changing' }));
    const body = { spec: { persistent: true, chain: { ethereum: { blockTime: 2 } } } };
    const answer = await harness.kube.send('PATCH', harness.pathOf('Network', 'changing'), { body });
    expect([answer.status, answer.body.metadata]).toEqual([200, expect.objectContaining({ generation: 2 })]);
  });

  test('of the args of a deployment together with its nonce is accepted', async () => {
    await create(aToken({ name: 'again' }));
    const deployments = [{ network: 'my-network', args: { total_supply: '5' }, nonce: 1 }];
    const path = harness.pathOf('Token', 'again');
    const answer = await harness.kube.send('PATCH', path, { body: { spec: { deployments } } });
    expect([answer.status, answer.body.spec]).toEqual([200, expect.objectContaining({ deployments })]);
  });

  test('of the status works only through its subresource and does not change the generation', async () => {
    await create(aNetwork({ name: 'reported' }));
    const body = { status: { state: 'Pending', execution: { currentStep: 1, totalSteps: 4 } } };
    const beside = await harness.kube.send('PATCH', harness.pathOf('Network', 'reported'), { body });
    expect(beside.body.status).toBeUndefined();
    const answer = await harness.kube.send('PATCH', `${harness.pathOf('Network', 'reported')}/status`, {
      body,
    });
    expect(answer.body).toMatchObject({ ...body, metadata: { generation: 1 } });
    const wrong = await harness.kube.send('PATCH', `${harness.pathOf('Network', 'reported')}/status`, {
      body: { status: { state: 'Odd' } },
    });
    expect(wrong.body.message).toContain('status.state: Unsupported value: "Odd"');
  });
});

interface Table {
  columnDefinitions: { name: string; priority: number }[];
  rows: { cells: unknown[] }[];
}

describe('seen by kubectl', () => {
  beforeAll(async () => {
    await create(aNetwork({ name: 'shown', spec: { persistent: true } }));
    const status = {
      state: 'Operational',
      chainID: '31337',
      message: 'ready',
      execution: { currentStep: 4 },
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'Running',
          message: 'ready',
          lastTransitionTime: '2030-01-01T00:00:00Z',
        },
      ],
    };
    await harness.kube.send('PATCH', `${harness.pathOf('Network', 'shown')}/status`, { body: { status } });
    await create(aToken({ name: 'shown' }));
    await harness.kube.send('PATCH', `${harness.pathOf('Token', 'shown')}/status`, {
      body: { status: { deployed: '2/3' } },
    });
    await create(aSecret({ name: 'shown' }));
  });

  test.each([
    ['Network', ['Name', 'Type', 'State', 'Reason', 'Chain-ID', 'Step', 'Persistent', 'Age', 'Message']],
    ['Secret', ['Name', 'Type', 'Age']],
    ['Token', ['Name', 'Type', 'Symbol', 'Deployed', 'Age']],
    ['Recording', ['Name', 'State', 'Address', 'Transactions', 'Age', 'Message']],
  ])('%s has its columns', async (kind, columns) => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const { body } = await harness.kube.send('GET', harness.pathOf(kind), { accept });
    const { columnDefinitions } = body as unknown as Table;
    expect(columnDefinitions.map(({ name }) => name)).toEqual(columns);
    const wide = columnDefinitions.filter(({ priority }) => priority > 0).map(({ name }) => name);
    expect(wide).toEqual(columns.filter((name) => name === 'Message'));
  });

  test('a row shows the state of a network', async () => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const { body } = await harness.kube.send('GET', harness.pathOf('Network', 'shown'), { accept });
    const [row] = (body as unknown as Table).rows;
    expect(row?.cells).toEqual([
      'shown',
      'Ethereum',
      'Operational',
      null,
      '31337',
      4,
      true,
      expect.any(String),
      'ready',
    ]);
  });

  test('a row shows where a token is deployed', async () => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const { body } = await harness.kube.send('GET', harness.pathOf('Token', 'shown'), { accept });
    const [row] = (body as unknown as Table).rows;
    expect(row?.cells).toEqual(['shown', 'ERC20', 'EXM', '2/3', expect.any(String)]);
  });

  test('the last deployment of a token may be removed, and added again', async () => {
    await create(aToken({ name: 'emptied' }));
    const path = harness.pathOf('Token', 'emptied');
    const none = await harness.kube.send('PATCH', path, { body: { spec: { deployments: [] } } });
    expect([none.status, none.body.message]).toEqual([200, undefined]);
    const args = { total_supply: '1' };
    const again = { network: 'n', networkID: 'uid', args, nonce: 2 };
    const { body } = await harness.kube.send('PATCH', path, { body: { spec: { deployments: [again] } } });
    expect(body.spec).toMatchObject({ deployments: [again] });
  });

  test.each([
    ['Network', 'status.state=Operational', ['shown']],
    ['Network', 'spec.chain.type=Ethereum,spec.persistent=true,status.state=Operational', ['shown']],
    ['Network', 'spec.chain.type=Solana', []],
    ['Secret', 'spec.type=private-key', ['shown']],
    ['Token', 'spec.type=ERC20,spec.symbol=EXM,spec.name=Example,metadata.name=shown', ['shown']],
    ['Recording', `spec.userAddress=${testAddress},metadata.name=fixed`, ['fixed']],
  ])('%s is selected by %s', async (kind, selector, names) => {
    const { body } = await harness.kube.send(
      'GET',
      `${harness.pathOf(kind)}?fieldSelector=${encodeURIComponent(selector)}`,
    );
    const items = body.items as KubeObject[] | undefined;
    expect(items?.map(({ metadata }) => metadata.name)).toEqual(names);
  });

  test('kubectl explain finds descriptions at every depth', async () => {
    const { body } = await harness.kube.send('GET', `/openapi/v3/apis/${apiVersion}`);
    const text = JSON.stringify(body);
    for (const part of [
      'A blockchain network that Slipway builds',
      'Seconds between blocks',
      'Last processed maintenance nonce',
      'Base64 of the raw secret bytes',
    ]) {
      expect(text).toContain(part);
    }
  });

  test.each(Object.values(types))('$plural have short name and category', async ({ kind, plural }) => {
    const { body } = await harness.kube.send('GET', `/apis/${apiVersion}`);
    const resources = body.resources as { name: string; shortNames?: string[]; categories?: string[] }[];
    const found = resources.find(({ name }) => name === plural);
    const shortNames = { Network: 'bnet', Secret: 'bsec', Token: 'btok', Recording: 'brec' }[kind];
    expect(found).toMatchObject({ shortNames: [shortNames], categories: ['slipway'] });
  });
});
