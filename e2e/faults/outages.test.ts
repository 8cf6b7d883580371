import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { layout } from '../../hack/nativeNode/setup/layout.ts';
import { getJson, kubectl, runProgram } from '../lib/cluster.ts';
import { selectorOf } from '../lib/components.ts';
import { createHotKey, createNetwork, endpointsOf, type HotKey, reach } from '../lib/networks.ts';
import { type Answer, call, freshName, until } from '../lib/service.ts';

interface Item {
  metadata: {
    name: string;
    uid: string;
    ownerReferences?: { kind: string; uid: string }[];
    deletionTimestamp?: string;
  };
  status?: { state?: string };
}

const networksOf = async (prefix: string): Promise<Item[]> =>
  (await getJson('bnet')).items.filter(({ metadata }: Item) => metadata.name.startsWith(prefix));

/** The children of a kind, by the uid of their network. */
async function childrenByNetwork(kind: string): Promise<Map<string, Item[]>> {
  // Not the pods that wait for a network.
  const selector = 'slipway.dev/network,slipway.dev/network!=waiting';
  const { items } = await getJson(kind, '--selector', selector);
  const ownerOf = ({ metadata }: Item) =>
    metadata.ownerReferences?.find(({ kind: owner }) => owner === 'Network');
  return Map.groupBy(items as Item[], (item) => ownerOf(item)?.uid ?? '');
}

async function killOperators(): Promise<void> {
  await kubectl(['delete', 'pod', ...selectorOf('operator'), '--grace-period=0', '--force', '--wait=false']);
}

let key: HotKey;
beforeAll(async () => {
  key = await createHotKey();
});

describe('fifty networks at once while the operator is killed repeatedly', () => {
  const prefix = freshName('many');
  const count = 50;

  afterAll(async () => {
    const names = (await networksOf(prefix)).map(({ metadata }) => metadata.name);
    await kubectl(['delete', 'bnet', '--wait=false', ...names]);
  });

  it('are all accepted', async () => {
    const answers = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        createNetwork({ privateKeyRef: { name: key.name } }, `${prefix}-${index}`),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: count }, () => 201));
  });

  it('all become Operational although the operator is killed in between', async () => {
    for (let kill = 0; kill < 4; kill += 1) {
      await killOperators();
      const before = (await networksOf(prefix)).filter(
        ({ status }) => status?.state === 'Operational',
      ).length;
      // Kill the operator again only after its successor has made some progress.
      await until(
        'progress after the operator was killed',
        () => networksOf(prefix),
        (items) => {
          const done = items.filter(({ status }) => status?.state === 'Operational').length;
          return done === count || done > before + 5;
        },
      );
    }
    const items = await until(
      'fifty networks to become Operational',
      () => networksOf(prefix),
      (found) => found.every(({ status }) => status?.state === 'Operational'),
    );
    expect(items).toHaveLength(count);
  });

  it('have exactly one pod and one Service each', async () => {
    const uids = (await networksOf(prefix)).map(({ metadata }) => metadata.uid);
    for (const kind of ['pods', 'services']) {
      const children = await childrenByNetwork(kind);
      expect(uids.filter((uid) => children.get(uid)?.length !== 1)).toEqual([]);
    }
  });

  it('leave no children of networks that no longer exist', async () => {
    const isOrphaned = async () => {
      const uids = new Set((await getJson('bnet')).items.map(({ metadata }: Item) => metadata.uid));
      const kinds = await Promise.all(['pods', 'services', 'configmaps'].map(childrenByNetwork));
      return kinds.flatMap((children) => [...children.keys()].filter((uid) => !uids.has(uid)));
    };
    expect(await until('no orphan', isOrphaned, (orphans) => orphans.length === 0)).toEqual([]);
  });
});

const apiserver = join(layout.services, 'kube-apiserver');
// On other clusters the suite must not stop the control plane.
const onNativeNode = existsSync(apiserver) ? describe : describe.skip;

onNativeNode('a kube-apiserver outage of 30 s under load', () => {
  const prefix = freshName('away');
  const answers: Answer[] = [];
  const accepted: string[] = [];
  let restartsBefore: number[];

  const restarts = async () =>
    (await getJson('pods', ...selectorOf('operator'))).items.map(
      (pod: { status: { containerStatuses: { restartCount: number }[] } }) =>
        pod.status.containerStatuses[0]?.restartCount,
    );

  afterAll(async () => {
    await runProgram('sv', ['-w', '20', 'up', apiserver]);
    await until(
      'kube-apiserver to be ready again',
      () => kubectl(['get', '--raw', '/readyz']),
      ({ code }) => code === 0,
    );
    // The controller-manager becomes leader again a little later; until then new Services have no EndpointSlices.
    const { body } = await createNetwork({ privateKeyRef: { name: key.name } }, `${prefix}-last`);
    await reach(body.id, 'Operational');
    // Another replica may have seen less than the one that said Operational: each finds its way back by itself.
    const { rpc = '' } = await until(
      'the endpoints',
      () => endpointsOf(body.id),
      (endpoints) => endpoints.rpc !== undefined,
    );
    const ask = { jsonrpc: '2.0', id: 1, method: 'eth_chainId' };
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(ask),
    };
    await until(
      'the endpoint to respond',
      () => fetch(rpc, init),
      ({ status }) => status === 200,
    );
    const names = (await networksOf(prefix)).map(({ metadata }) => metadata.name);
    if (names.length > 0) await kubectl(['delete', 'bnet', '--wait=false', ...names]);
  });

  it('is answered with cached reads or 503 with Retry-After, and never with 500', async () => {
    restartsBefore = await restarts();
    const { body } = await createNetwork({ privateKeyRef: { name: key.name } }, `${prefix}-first`);
    await reach(body.id, 'Operational');
    // runit kills it after 7 s, because it waits for open watches.
    await runProgram('sv', ['force-stop', apiserver]);
    expect((await kubectl(['get', '--raw', '/readyz'])).code).not.toBe(0);
    const endMs = Date.now() + 30_000;
    for (let index = 0; Date.now() < endMs; index += 1) {
      const [read, write] = await Promise.all([
        call('GET', `/v1alpha/networks/${body.id}`),
        createNetwork({ privateKeyRef: { name: key.name } }, `${prefix}-${index}`),
      ]);
      answers.push(read, write);
      if (write.status === 201) accepted.push(write.body.id);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect((await runProgram('sv', ['-w', '20', 'up', apiserver])).code).toBe(0);
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => ![200, 201, 503].includes(status))).toEqual([]);
    const rejected = answers.filter(({ status }) => status === 503);
    expect(rejected.filter(({ headers }) => !headers.get('retry-after'))).toEqual([]);
  });

  it('loses no accepted network', async () => {
    await until(
      'kube-apiserver to be ready again',
      () => kubectl(['get', '--raw', '/readyz']),
      ({ code }) => code === 0,
    );
    const { status, body } = await until(
      'writes to succeed again',
      () => createNetwork({ privateKeyRef: { name: key.name } }, freshName(prefix)),
      (answer) => answer.status === 201,
      // kube-proxy and the watches have backed off by now; on a busy machine they take a minute to be back.
    );
    expect(status).toBe(201);
    for (const id of [...accepted, body.id]) await reach(id, 'Operational');
  });

  it('does not restart the operator', async () => {
    expect(await restarts()).toEqual(restartsBefore);
  });
});
