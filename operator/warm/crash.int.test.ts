import { aKeyring } from '../../core/accounts/testing/keyrings.ts';
import { annotations, labels } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { allEngines } from '../../core/chains/ethereum/testing/planInput.ts';
import { createMortalKube, type Death } from '../../core/kube/testing/mortalKube.ts';
import { type Pod, podType } from '../../core/kube/types.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { isIn } from '../network/testing/crash.ts';
import { anInstallation } from '../network/testing/facts.ts';
import { startOperator } from '../network/testing/operator.ts';
import { openStage, type Stage } from '../network/testing/stage.ts';
import {
  createLaunchers,
  createTestWarmth,
  createWaitingPod,
  type Launchers,
  modelForTests,
} from './testing/launchers.ts';
import { isWaiting, secretFor } from './waitingPod.ts';

const cluster = createTestKube();
afterAll(() => cluster.close());

const keys = aKeyring('engine key');
const installation = anInstallation();
const spec: NetworkResource['spec'] = {
  chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' }, chainID: '424242' } },
};

interface Scene {
  stage: Stage;
  launchers: Launchers;
}

/** What happens while the operator may crash, and what has happened before. */
type Story = [name: string, before: (scene: Scene) => Promise<void>, begin: (scene: Scene) => Promise<void>];

/** Resolves once a pod waits and is ready. */
async function wait({ stage }: Scene, name: string): Promise<void> {
  const { kube, namespace } = stage;
  await createWaitingPod(kube, { namespace, name, model: modelForTests(allEngines), keys });
  for (;;) {
    const pod = await kube.get(podType, { namespace, name });
    if (pod?.status?.podIP) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const waitForBoth = async (scene: Scene) =>
  void (await Promise.all(['a', 'b'].map((name) => wait(scene, name))));

const stories: Story[] = [
  ['a network starts', waitForBoth, ({ stage }) => stage.hands.create(spec)],
  [
    'a network wakes up',
    async (scene) => {
      const { hands } = scene.stage;
      await hands.create(spec);
      await hands.reach(isIn('Operational'));
      await hands.patch({ status: { lastWakeUpAt: '2020-01-01T00:00:00Z' } }, 'status');
      await hands.reach(isIn('Stopped'));
      await waitForBoth(scene);
    },
    ({ stage }) => stage.hands.patch({ metadata: { annotations: { [annotations.wake]: 'now' } } }),
  ],
];

const startWarmOperator = (kube: Stage['kube'], { stage, launchers }: Scene) =>
  startOperator({
    kube,
    namespace: stage.namespace,
    deps: { installation, keys: { access: aKeyring('access key'), engines: keys, forks: keys } },
    warm: (deps) => createTestWarmth(deps, launchers),
  });

interface End {
  hasDied: boolean;
  writes: string[];
  /** Pods of the network, and those that still wait. */
  engines: Pod[];
  waiting: Pod[];
  plans: Launchers['plans'];
}

/** Runs a story with an operator that crashes at one of its writes, and another one that goes on. */
async function play([, before, begin]: Story, death?: Death): Promise<End> {
  const stage = await openStage(cluster);
  const scene = { stage, launchers: createLaunchers() };
  const mortal = createMortalKube(stage.kube, death);
  let operator = startWarmOperator(mortal.kube, scene);
  try {
    await before(scene);
    mortal.arm();
    await begin(scene);
    await Promise.race([mortal.died, stage.hands.reach(isIn('Operational'))]);
    if (mortal.isDead()) {
      await operator.stop();
      operator = startWarmOperator(stage.kube, scene);
    }
    await stage.hands.reach(isIn('Operational'));
    const { items } = await stage.kube.list<Pod>(podType, { namespace: stage.namespace });
    const uid = stage.network()?.metadata.uid;
    return {
      hasDied: mortal.isDead(),
      writes: mortal.writes,
      plans: scene.launchers.plans,
      engines: items.filter(({ metadata }) => metadata.labels?.[labels.network] === uid),
      waiting: items.filter(isWaiting),
    };
  } finally {
    await operator.stop();
    await stage.close();
  }
}

/** One pod runs the network; it, and no other, has the plan; every other pod waits. */
function expectWhole({ engines, waiting, plans }: End): void {
  expect(engines).toHaveLength(1);
  expect(waiting).toHaveLength(1);
  const [engine] = engines;
  const owner = engine?.metadata.ownerReferences?.map(({ kind }) => kind);
  expect(owner).toEqual(['Network']);
  expect([...plans.keys()]).toContain(engine && secretFor(engine, keys));
  for (const pod of waiting) expect([...plans.keys()]).not.toContain(secretFor(pod, keys));
}

it.each(stories)('%s on a pod that waited, wherever the operator crashes', async (...story) => {
  const whole = await play(story);
  expect(whole.writes).toContain('patch Pod');
  expectWhole(whole);
  let hasDied = true;
  for (let at = 1; hasDied; at += 1) {
    const ends = await Promise.all([play(story, { at, when: 'before' }), play(story, { at, when: 'after' })]);
    for (const end of ends) expectWhole(end);
    hasDied = ends.every((end) => end.hasDied);
  }
});
