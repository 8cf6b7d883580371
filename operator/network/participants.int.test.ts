import type { NetworkResource } from '../../core/api/resources/network.ts';
import { createMortalKube, type Death } from '../../core/kube/testing/mortalKube.ts';
import { configMapType, podType } from '../../core/kube/types.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { startOperator } from './testing/operator.ts';
import { type IsThere, openStage } from './testing/stage.ts';

const cluster = createTestKube();
afterAll(() => cluster.close());

const spec: NetworkResource['spec'] = {
  chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' }, participants: [{}] } },
};

/** One participant has three pods with their files and host names, and two Services for the gateway. */
const childrenOfOne = 11;

interface Run {
  hasDied: boolean;
  pods: string[];
  /** The part of each pod that was run. */
  podsRun: string[];
  /** The genesis times in the configuration files of the parts, in Unix seconds. */
  times: string[];
  genesis: number;
}

/** Provisions a network. If its operator crashes, another one takes over. */
async function provision(death: Death | undefined): Promise<Run> {
  const stage = await openStage(cluster);
  const mortal = createMortalKube(stage.kube, death);
  const { namespace } = stage;
  let operator = startOperator({ kube: mortal.kube, namespace });
  const isOver: IsThere = (network, children) =>
    network?.status?.state === 'Operational' && children === childrenOfOne;
  try {
    mortal.arm();
    await stage.hands.create(spec);
    await Promise.race([mortal.died, stage.hands.reach(isOver)]);
    if (mortal.isDead()) {
      await operator.stop();
      operator = startOperator({ kube: stage.kube, namespace });
      await stage.hands.reach(isOver);
    }
    const { items: pods } = await stage.kube.list(podType);
    const { items: files } = await stage.kube.list(configMapType);
    const texts = files.flatMap(({ data = {} }) => Object.values(data));
    return {
      hasDied: mortal.isDead(),
      pods: pods.map(({ metadata }) => metadata.name.replace(/-[0-9a-f]{10}$/, '')).sort(),
      times: texts.flatMap((text) => /^MIN_GENESIS_TIME: (\d+)$/m.exec(text)?.[1] ?? []),
      podsRun: stage.state().podsRun,
      genesis: Date.parse(stage.network()?.status?.genesis?.at ?? '') / 1_000,
    };
  } finally {
    await operator.stop();
    await stage.close();
  }
}

it('wherever the operator crashes, all parts share one genesis time, and the preparation runs once', async () => {
  let hasDied = true;
  for (let at = 1; hasDied; at += 1) {
    const runs = await Promise.all((['before', 'after'] as const).map((when) => provision({ at, when })));
    for (const { pods, podsRun, times, genesis } of runs) {
      expect(podsRun).toEqual(['cl-1', 'el-1', 'prepare', 'vc-1']);
      expect(pods).toEqual(['net-cl-1', 'net-el-1', 'net-vc-1']);
      expect(times).toEqual([String(genesis), String(genesis)]);
    }
    hasDied = runs.every((run) => run.hasDied);
  }
});
