import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../hack/lib/paths.ts';
import { layout } from '../../hack/nativeNode/setup/layout.ts';
import { releaseNamespace } from '../../hack/up/names.ts';
import { getJson, kubectl, namespace, runProgram } from '../lib/cluster.ts';
import {
  type ComponentPod,
  components,
  handoverMs,
  handoverTime,
  leaseMs,
  nextLease,
  podsOf,
  readLease,
  rolledOut,
} from '../lib/components.ts';
import { reach, remove } from '../lib/networks.ts';
import { operatorLeader } from '../lib/processes.ts';
import { call, freshName, until } from '../lib/service.ts';
import { type Bed, createBed } from './bed.ts';
import { createLedger, judgeLedger } from './ledger.ts';
import { startReader } from './reader.ts';
import { startWriter } from './writer.ts';

/** Of a rollout while a node comes or goes. */
const limitSeconds = 300;
const first = 'slipway';
const added = 'slipway-2';
const service = join(layout.services, added);

async function succeed(running: ReturnType<typeof kubectl>): Promise<string> {
  const { code, stdout, stderr } = await running;
  if (code !== 0) throw new Error(stderr || stdout);
  return stdout;
}

const makeNode = (command: string) =>
  succeed(runProgram(process.execPath, [join(projectRoot, 'hack', 'node.ts'), command]));

async function spread(): Promise<void> {
  const deployments = components.map((component) => `deployment/slipway-${component}`);
  await succeed(kubectl(['--namespace', releaseNamespace, 'rollout', 'restart', ...deployments]));
  await rolledOut(limitSeconds);
}

/** Runs `create` while pods are placed on one of the two nodes only. */
async function onlyOn<T>(node: string, create: () => Promise<T>): Promise<T> {
  const other = node === first ? added : first;
  await succeed(kubectl(['cordon', other]));
  try {
    return await create();
  } finally {
    await succeed(kubectl(['uncordon', other]));
  }
}

/** A network may take a warm engine of the other node, of which there are few: then it makes room for the next. */
async function createNetwork(): Promise<string> {
  for (;;) {
    const { status, body } = await call('POST', '/v1alpha/networks', {
      body: { name: freshName('moved'), spec: { chain: { type: 'Base', base: {} } } },
    });
    if (status !== 201) throw new Error(JSON.stringify(body));
    await reach(body.id, 'Operational');
    if ((await nodeOf(body.id)) === added) return body.id;
    await remove(body.id);
  }
}

/** The node of a network's engine; undefined while it has none. */
async function nodeOf(networkId: string): Promise<string | undefined> {
  const { items } = await getJson('pods', '--selector', `slipway.dev/network=${networkId}`);
  return items[0]?.spec.nodeName;
}

/** Replaces the leader until the one on the added node leads. */
async function leadOnAddedNode(): Promise<string> {
  for (;;) {
    const leader = await operatorLeader(releaseNamespace);
    const { spec } = await getJson('pod', leader, '--namespace', releaseNamespace);
    const others = (await podsOf('operator')).filter(({ metadata }) => metadata.name !== leader);
    if (spec.nodeName === added) {
      const beside = others.find(({ spec: { nodeName } }) => nodeName === added);
      if (!beside) return leader;
      // A pod that was ending on the first node still counted there when this one was placed.
      await succeed(kubectl(['--namespace', releaseNamespace, 'delete', 'pod', beside.metadata.name]));
      await rolledOut(limitSeconds);
      continue;
    }
    const former = await readLease();
    await succeed(kubectl(['--namespace', releaseNamespace, 'delete', 'pod', leader]));
    await nextLease(former);
    await rolledOut(limitSeconds);
  }
}

// Other clusters than the native one have their nodes from elsewhere.
const onNativeNode = existsSync(layout.services) ? describe : describe.skip;

onNativeNode('with two nodes', () => {
  let bed: Bed;
  /** Its engine stays, so that writes go on. */
  let steady: Bed;
  let moved = '';
  const hadWorker = existsSync(service);

  beforeAll(async () => {
    if (!hadWorker) await makeNode('add');
    await spread();
    bed = await onlyOn(added, createBed);
    steady = await onlyOn(first, createBed);
    moved = await onlyOn(added, createNetwork);
  });

  afterAll(async () => {
    await kubectl(['uncordon', first, added]);
    await runProgram('sv', ['up', service]);
    if (moved) await remove(moved);
    await bed?.close();
    await steady?.close();
    if (!hadWorker) await makeNode('remove');
    await rolledOut(limitSeconds);
  });

  test.each(components)('the replicas of the %s are on different nodes', async (component) => {
    const nodes = (await podsOf(component)).map(({ spec }) => spec.nodeName);
    expect(nodes.sort()).toEqual([first, added]);
  });

  it('pods of the added node are closed to other users of the machine, and open to root', async () => {
    const pod = (await podsOf('apiserver')).find(({ spec }) => spec.nodeName === added);
    const number = pod?.spec.containers[0]?.ports[0]?.containerPort;
    const ask = [
      'curl',
      '--silent',
      '--max-time',
      '5',
      '--output',
      '/dev/null',
      `http://${pod?.status.podIP}:${number}/`,
    ];
    expect((await runProgram('env', ask)).code).toBe(0);
    expect((await runProgram('setpriv', ['--reuid', '65534', '--clear-groups', ...ask])).code).toBe(7);
  });

  it('a drain of one is not noticed by readers, loses no write, and moves networks to the other', async () => {
    expect([await nodeOf(moved), await nodeOf(bed.networkId)]).toEqual([added, added]);
    const ledgers = [createLedger(), createLedger()] as const;
    const writers = [startWriter(bed, ledgers[0]), startWriter(steady, ledgers[1])];
    const reader = startReader();
    const drain = ['drain', added, '--ignore-daemonsets', '--delete-emptydir-data', '--force'];
    await succeed(kubectl([...drain, '--timeout=300s']));
    await rolledOut(limitSeconds);
    const node = await until('the engine to move', () => nodeOf(moved), Boolean);
    expect(node).toBe(first);
    await reach(moved, 'Operational');
    // The volume of a persistent network is on the drained node, so the network waits for it.
    expect(await nodeOf(bed.networkId)).toBeUndefined();
    const { items } = await getJson('pods', '--all-namespaces', '--field-selector', `spec.nodeName=${added}`);
    expect(items).toEqual([]);
    await succeed(kubectl(['uncordon', added]));
    await reach(bed.networkId, 'Operational');
    expect(await nodeOf(bed.networkId)).toBe(added);
    await Promise.all([...writers, reader].map((one) => one.stop()));
    const [moving, staying] = ledgers;
    console.log(`${reader.reads()} reads, ${moving.size()} and ${staying.size()} writes around a drain`);
    expect(reader.wrong).toEqual([]);
    expect(writers.flatMap(({ unexpected }) => unexpected)).toEqual([]);
    for (const [ledger, { countEffects }] of [
      [moving, bed],
      [staying, steady],
    ] as const) {
      expect(await judgeLedger(ledger, countEffects)).toMatchObject({ lost: [], doubled: [] });
    }
  });

  it('an uncordoned node takes replicas again', async () => {
    await spread();
    for (const component of components) {
      const nodes = (await podsOf(component)).map(({ spec }) => spec.nodeName);
      expect(nodes.sort()).toEqual([first, added]);
    }
  });

  it('the loss of the node with the leader hands over within the lease and two seconds, and loses no write', async () => {
    const leader = await leadOnAddedNode();
    const { status } = await getJson('pod', leader, '--namespace', releaseNamespace);
    const ledger = createLedger();
    const writer = startWriter(bed, ledger);
    await succeed(runProgram('sv', ['down', service]));
    const before = await readLease();
    expect(handoverTime(before, await nextLease(before))).toBeLessThanOrEqual(leaseMs + handoverMs);
    await succeed(kubectl(['wait', '--for=condition=Ready=Unknown', `node/${added}`, '--timeout=180s']));
    // What is still sent to its pods does not leave the machine.
    const { stderr } = await runProgram('ip', ['route', 'get', status.podIP]);
    expect(stderr).toContain('No route to host');
    // From then on the Services lead to the pods of the other node only.
    expect((await call('GET', '/v1alpha/networks?limit=1')).status).toBe(200);
    await makeNode('add');
    await rolledOut(limitSeconds);
    await reach(bed.networkId, 'Operational');
    await writer.stop();
    expect(writer.unexpected).toEqual([]);
    const verdict = await judgeLedger(ledger, bed.countEffects);
    expect(verdict).toMatchObject({ lost: [], doubled: [] });
    const { items } = await getJson('pods', '--namespace', namespace);
    expect(items.filter(({ spec }: ComponentPod) => spec.nodeName === added).length).toBeGreaterThan(0);
  });
});
