import { labels } from '../../core/api/names.ts';
import type { NetworkResource, NetworkSpec } from '../../core/api/resources/network.ts';
import { networkType, secretType } from '../../core/api/resources/resources.ts';
import { aSetOf, fixedEngines } from '../../core/engines/testing/engineSets.ts';
import type { Kube, ResourceType } from '../../core/kube/kube.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { type Pod, podType } from '../../core/kube/types.ts';
import { anInstallation } from './testing/facts.ts';
import { aKeySecret, type RunningOperator, startOperator } from './testing/operator.ts';

/** Networks of every sort run under one release of the operator, and the next one takes over. */

const namespace = 'ws';

const installation = anInstallation({ forks: { url: 'http://forks', types: ['Ethereum'] } });
const enginesOf = (release: string) =>
  fixedEngines(aSetOf({ 'evm-dev': `evm-dev:${release}`, 'solana-dev': `solana-dev:${release}` }));
const ethereum = (more: object = {}): NetworkSpec['chain'] => ({
  type: 'Ethereum',
  ethereum: { privateKeyRef: { name: 'key' }, ...more },
});
const specs: Record<string, NetworkSpec> = {
  light: { chain: ethereum() },
  persistent: { chain: ethereum(), persistent: true },
  fork: { chain: ethereum({ forking: { enabled: true } }) },
  base: { chain: { type: 'Base', base: {} } },
  solana: { chain: { type: 'Solana', solana: {} } },
};

let kube: FakeKube;
let operator: RunningOperator;
let writes: string[];

/** Notes what is written to anything but the Secrets with URLs, which each leader writes once. */
function watched(to: Kube): Kube {
  const note = (verb: string, type: ResourceType, { name }: { name: string }) => {
    if (type.kind !== 'Secret') writes.push(`${verb} ${type.kind} ${name}`);
  };
  return {
    ...to,
    create(type, object) {
      note('create', type, object.metadata);
      return to.create(type, object);
    },
    apply(type, object, options) {
      note('apply', type, object.metadata);
      return to.apply(type, object, options);
    },
    patch(type, ref, patch, subresource) {
      note('patch', type, ref);
      return to.patch(type, ref, patch, subresource);
    },
    delete(type, ref, options) {
      note('delete', type, ref);
      return to.delete(type, ref, options);
    },
  };
}

const start = (release: string) =>
  startOperator({ kube: watched(kube), namespace, deps: { installation, engines: enginesOf(release) } });
const isRunning = ({ status }: NetworkResource) => status?.state === 'Operational';

async function makeReady(name: string): Promise<void> {
  const { metadata } = await operator.reach(name, ({ status }) => status?.state === 'Pending');
  const isOurs = (pod: Pod) => pod.metadata.labels?.[labels.network] === metadata.uid;
  const pod = await operator.caches.pods.waitFor(isOurs, { timeoutMs: 120_000 });
  const conditions = ['PodScheduled', 'Ready'].map((type) => ({ type, status: 'True' as const }));
  await kube.patch(
    podType,
    pod?.metadata ?? { name },
    { status: { phase: 'Running', conditions } },
    'status',
  );
  await operator.reach(name, isRunning);
}

const imagesOf = async () =>
  (await kube.list(podType, { namespace })).items.map(({ metadata, spec }) => [
    ...[metadata.uid, metadata.name, spec.containers[0]?.image],
  ]);

beforeEach(async () => {
  writes = [];
  kube = createFakeKube();
  await kube.create(secretType, aKeySecret(namespace));
  operator = start('1');
  for (const [name, spec] of Object.entries(specs)) {
    const metadata = { name, namespace };
    await kube.create(networkType, { apiVersion: 'slipway.dev/v1alpha1', kind: 'Network', metadata, spec });
    await makeReady(name);
  }
  await operator.stop();
});
afterEach(() => operator.stop());

/** A network that the new operator begins shows that it has looked at the ones before it. */
async function upgrade(release: string): Promise<void> {
  writes = [];
  operator = start(release);
  for (const name of Object.keys(specs)) {
    await kube.patch(networkType, { namespace, name }, { metadata: { labels: { seen: release } } });
    await operator.reach(name, ({ metadata }) => metadata.labels?.seen === release);
  }
  const metadata = { name: 'next', namespace };
  const spec = { chain: ethereum() };
  await kube.create(networkType, { apiVersion: 'slipway.dev/v1alpha1', kind: 'Network', metadata, spec });
  await makeReady('next');
}

it('a newer operator with newer engines writes nothing to networks that run, so no chain restarts', async () => {
  const before = await imagesOf();
  expect(before).toHaveLength(Object.keys(specs).length);
  await upgrade('2');
  expect(writes.filter((write) => !write.includes(' next'))).toEqual([]);
  expect(await imagesOf()).toEqual(expect.arrayContaining(before));
});

it('the next network of a newer operator runs the newer engine', async () => {
  await upgrade('2');
  expect((await imagesOf()).map(([, , image]) => image)).toContain('evm-dev:2');
});
