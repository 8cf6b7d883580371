import { JsonRpcProvider, parseEther } from 'ethers';
import { getJson, kubectl } from './lib/cluster.ts';
import { createHotKey, endpointsOf, type HotKey, reach, remove } from './lib/networks.ts';
import { configure, readRevision, rollBack } from './lib/release.ts';
import { call, freshName, until } from './lib/service.ts';

/** Networks that start on a pod that waited for them, in the default workspace. */

interface Pod {
  metadata: { name: string; uid: string; annotations?: Record<string, string>; deletionTimestamp?: string };
  status: { podIP?: string; containerStatuses?: { ready: boolean; restartCount: number }[] };
}

const receiver = '0x00000000000000000000000000000000000000B7';
let key: HotKey;
const made: string[] = [];
beforeAll(async () => {
  key = await createHotKey();
});
afterAll(async () => {
  for (const id of made) await remove(id);
});

const podsWith = async (value: string): Promise<Pod[]> =>
  (await getJson('pods', '--selector', `slipway.dev/network=${value}`)).items;
const isReady = ({ metadata, status }: Pod) =>
  !metadata.deletionTimestamp && status.containerStatuses?.[0]?.ready === true;
const isAdopted = ({ metadata }: Pod) => metadata.annotations?.['slipway.dev/adopted'] !== undefined;

/** The names of the pods that wait, once one is ready. */
async function whenOneWaits(): Promise<string[]> {
  const pods = await until(
    'a pod that waits',
    () => podsWith('waiting'),
    (all) => all.some(isReady),
  );
  return pods.filter(isReady).map(({ metadata }) => metadata.name);
}

async function start(more: object = {}): Promise<{ id: string; name: string; url: string }> {
  const chain = { type: 'Ethereum', ethereum: { privateKeyRef: { name: key.name } } };
  const { status, body } = await call('POST', '/v1alpha/networks', {
    body: { name: freshName('warm'), spec: { chain, ...more } },
  });
  expect(status).toBe(201);
  made.push(body.id);
  await reach(body.id, 'Operational');
  return { id: body.id, name: body.name, url: (await endpointsOf(body.id)).rpc ?? '' };
}

async function pay(url: string): Promise<void> {
  const provider = new JsonRpcProvider(url);
  const sent = await key.wallet.connect(provider).sendTransaction({ to: receiver, value: parseEther('1') });
  await sent.wait();
  provider.destroy();
}

async function balanceAt(url: string): Promise<bigint> {
  const provider = new JsonRpcProvider(url, undefined, { cacheTimeout: -1 });
  const balance = await provider.getBalance(receiver);
  provider.destroy();
  return balance;
}

const onlyPodOf = async (id: string): Promise<Pod> => {
  const [pod, ...others] = (await podsWith(id)).filter(({ metadata }) => !metadata.deletionTimestamp);
  expect(others).toEqual([]);
  if (!pod) throw new Error('the network has no pod');
  return pod;
};

/** Runs a script of bash in the container of a pod. */
const inPod = (name: string, script: string) => kubectl(['exec', name, '--', '/bin/bash', '-c', script]);

async function maintain(id: string, action: string, nonce: number) {
  const { body } = await call('GET', `/v1alpha/networks/${id}`);
  const spec = { ...body.spec, maintenanceRequest: { action, nonce } };
  await call('PUT', `/v1alpha/networks/${id}`, { body: { name: body.name, spec } });
  const ask = () => call('GET', `/v1alpha/networks/${id}`);
  return until(
    `${action} ${nonce}`,
    ask,
    (answer) =>
      answer.body.status?.observedMaintenanceNonce === nonce && answer.body.status.state === 'Operational',
  );
}

it('a network starts on a pod that waited, and another one takes the place of that', async () => {
  const waiting = await whenOneWaits();
  const { id, url } = await start();
  const pod = await onlyPodOf(id);
  expect(waiting).toContain(pod.metadata.name);
  await pay(url);
  expect(await balanceAt(url)).toBe(parseEther('1'));
  expect(await whenOneWaits()).not.toContain(pod.metadata.name);
});

it('a stopped network wakes up on a pod that waited', async () => {
  const { id, url } = await start();
  await call('POST', `/v1alpha/networks/${id}/stop`);
  const list = async () => (await call('GET', '/v1alpha/networks?limit=500')).body.items;
  await until('the stop', list, (items: { id: string; status?: { state?: string } }[]) =>
    items.some((network) => network.id === id && network.status?.state === 'Stopped'),
  );
  const waiting = await whenOneWaits();
  expect(await balanceAt(url)).toBe(0n);
  expect(waiting).toContain((await onlyPodOf(id)).metadata.name);
});

describe('a network on a pod that waited', () => {
  let id: string;
  let url: string;
  beforeAll(async () => {
    await whenOneWaits();
    ({ id, url } = await start());
    expect(isAdopted(await onlyPodOf(id))).toBe(true);
  });

  it('keeps its chain in a Restart', async () => {
    await pay(url);
    const { uid } = (await onlyPodOf(id)).metadata;
    await maintain(id, 'Restart', 1);
    expect((await onlyPodOf(id)).metadata.uid).toBe(uid);
    expect(await balanceAt(url)).toBe(parseEther('1'));
  });

  it('begins a new chain when its engine crashes, in the same pod, and says so', async () => {
    await pay(url);
    const { metadata, status } = await onlyPodOf(id);
    const { body: before } = await call('GET', `/v1alpha/networks/${id}`);
    const killAnvil =
      'for f in /proc/[0-9]*/stat; do read -r s < $f; [[ $s == *"(anvil)"* ]] && set -- $s && kill -KILL $1; done; true';
    await inPod(metadata.name, killAnvil);
    const restarts = status.containerStatuses?.[0]?.restartCount ?? 0;
    await until(
      'another process',
      () => onlyPodOf(id),
      (pod) => isReady(pod) && (pod.status.containerStatuses?.[0]?.restartCount ?? 0) > restarts,
    );
    const ask = () => call('GET', `/v1alpha/networks/${id}`);
    const { body: after } = await until(
      'another chain',
      ask,
      ({ body }) => body.status.state === 'Operational' && body.status.enclaveID !== before.status.enclaveID,
    );
    expect(after.status.previousChain.enclaveID).toBe(before.status.enclaveID);
    expect(await balanceAt(url)).toBe(0n);
    expect((await onlyPodOf(id)).metadata.uid).toBe(metadata.uid);
  });

  it('begins a new chain at a ResetState', async () => {
    await pay(url);
    await maintain(id, 'ResetState', 2);
    expect(await balanceAt(url)).toBe(0n);
    await pay(url);
  });

  it('cannot open the launcher of a pod that waits', async () => {
    await whenOneWaits();
    const [target] = (await podsWith('waiting')).filter(isReady);
    const request =
      'POST /plan HTTP/1.1\\r\\nHost: x\\r\\nAuthorization: Bearer x\\r\\nContent-Length: 2\\r\\n\\r\\n{}';
    const ask = `exec 3<>/dev/tcp/${target?.status.podIP}/8545; printf '${request}' >&3; read -r line <&3; echo "$line"`;
    const { stdout } = await inPod((await onlyPodOf(id)).metadata.name, ask);
    expect(stdout).toContain('403');
  });
});

it('a persistent network gets a pod of its own, with a volume', async () => {
  await whenOneWaits();
  const { id, url } = await start({ persistent: true });
  const pod = await onlyPodOf(id);
  expect(isAdopted(pod)).toBe(false);
  await pay(url);
  await kubectl(['delete', 'pod', pod.metadata.name, '--wait=true']);
  await until(
    'a new pod',
    () => podsWith(id),
    (pods) => pods.some(isReady),
  );
  await until(
    'the chain',
    async () => balanceAt(url).catch(() => 0n),
    (balance) => balance === parseEther('1'),
  );
});

it('where pods do not wait, networks start with pods of their own', async () => {
  const revision = await readRevision();
  try {
    await configure('warmEngines.enabled=false');
    await until(
      'no pod that waits',
      () => podsWith('waiting'),
      (pods) => pods.length === 0,
    );
    const { id, url } = await start();
    expect(isAdopted(await onlyPodOf(id))).toBe(false);
    await pay(url);
  } finally {
    await rollBack(revision);
  }
});

// The last test: the pool stays empty for ten minutes.
it('pods that wait make room for a network that does not fit in the quota', async () => {
  await whenOneWaits();
  const quota = ['resourcequota', 'slipway-budget'];
  const before = await getJson(...quota);
  const limitTo = (pods: string) =>
    kubectl(['patch', ...quota, '--type=merge', '--patch', JSON.stringify({ spec: { hard: { pods } } })]);
  try {
    await limitTo(before.status.used.pods);
    await until(
      'the limit',
      () => getJson(...quota),
      ({ status }) => status.hard.pods === before.status.used.pods,
    );
    // It cannot have a pod that waits, so it needs a place of its own.
    const { id } = await start({ persistent: true });
    expect(isAdopted(await onlyPodOf(id))).toBe(false);
  } finally {
    await limitTo(before.spec.hard.pods);
    // The field belongs to the chart again.
    await configure();
  }
});
