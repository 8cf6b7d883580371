import { annotations } from '../../../core/api/names.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { NetworkState } from '../../../core/api/resources/networkStatus.ts';
import type { KubeClient } from '../../../core/kube/client/client.ts';
import { createMortalKube, type Death } from '../../../core/kube/testing/mortalKube.ts';
import { startOperator } from './operator.ts';
import { type Hands, type IsThere, openStage, type Stage } from './stage.ts';

type Act = (hands: Hands) => Promise<void>;
type Spec = NetworkResource['spec'];

/** A lifecycle scenario of a network: its setup, its trigger and its end condition. */
export type Story = [name: string, before: Act, begin: Act, isOver: IsThere];

export const maintenanceNonce = 7;
const nothing: Act = async () => undefined;

export const isIn =
  (state: NetworkState): IsThere =>
  (network) =>
    network?.status?.state === state && network.status.observedGeneration === network.metadata.generation;

export const hasObserved: IsThere = (network) =>
  isIn('Operational')(network, 0) && network?.status?.observedMaintenanceNonce === maintenanceNonce;

export const running =
  (spec: Spec): Act =>
  async ({ create, reach }) => {
    await create(spec);
    await reach(isIn('Operational'));
  };

const fallIdle: Act = ({ patch }) => patch({ status: { lastWakeUpAt: '2020-01-01T00:00:00Z' } }, 'status');
const wake: Act = ({ patch }) => patch({ metadata: { annotations: { [annotations.wake]: 'now' } } });

/** The scenario of a maintenance request. */
export function maintained(action: string, spec: Spec): Story {
  const begin: Act = ({ patch }) =>
    patch({ spec: { maintenanceRequest: { action, nonce: maintenanceNonce } } });
  return [action, running(spec), begin, hasObserved];
}

/** The scenarios for networks of every family. */
export function storiesOf(spec: Spec): Story[] {
  const stopped: Act = async (hands) => {
    await running(spec)(hands);
    await fallIdle(hands);
    await hands.reach(isIn('Stopped'));
  };
  const persistent = { ...spec, persistent: true };
  return [
    ['a network is provisioned', nothing, ({ create }) => create(spec), isIn('Operational')],
    [
      'a network with a volume is provisioned',
      nothing,
      ({ create }) => create(persistent),
      isIn('Operational'),
    ],
    ['a network stops when idle', running(spec), fallIdle, isIn('Stopped')],
    ['a network is woken', stopped, wake, isIn('Operational')],
    maintained('Restart', spec),
    maintained('ResetState', spec),
    [
      'a network is deleted',
      running(spec),
      ({ remove }) => remove(),
      (network, children) => network === undefined && children === 0,
    ],
  ];
}

interface Run {
  /** The writes of the first operator. If `hasDied`, it crashed at the last one. */
  writes: string[];
  hasDied: boolean;
  end: object;
}

/** Runs a scenario on its own stage. If the operator crashes, another one takes over and must reach `expected`. */
async function runStory(
  cluster: KubeClient,
  story: Story,
  { death, expected }: { death?: Death; expected?: object } = {},
): Promise<Run> {
  const [, before, begin, isOver] = story;
  const stage = await openStage(cluster);
  const mortal = createMortalKube(stage.kube, death);
  const { namespace } = stage;
  let operator = startOperator({ kube: mortal.kube, namespace });
  try {
    await before(stage.hands);
    mortal.arm();
    await begin(stage.hands);
    await Promise.race([mortal.died, finish(stage, isOver, expected)]);
    if (mortal.isDead()) {
      await operator.stop();
      operator = startOperator({ kube: stage.kube, namespace });
      await finish(stage, isOver, expected);
    }
    return { writes: mortal.writes, hasDied: mortal.isDead(), end: stage.state() };
  } finally {
    await operator.stop();
    await stage.close();
  }
}

async function finish(stage: Stage, isOver: IsThere, expected: object | undefined): Promise<void> {
  if (expected) return stage.settle(expected);
  await stage.hands.reach(isOver);
}

/** Number of writes whose crashes run concurrently, to make good use of two cores. */
const stride = 4;

/**
 * Runs a scenario without a crash, and again for each write with an operator that crashes at it: all runs must have the
 * same result. `whens` returns the crash points of a write: before it is sent, or after it was answered.
 */
export async function expectToSurvive(
  cluster: KubeClient,
  story: Story,
  whens: (at: number) => readonly Death['when'][] = () => ['before', 'after'],
): Promise<void> {
  const { end, writes } = await runStory(cluster, story);
  expect(writes.length).toBeGreaterThan(0);
  let hasDied = true;
  for (let first = 1; hasDied; first += stride) {
    const moments = Array.from({ length: stride }, (_, i) => first + i).flatMap((at) =>
      whens(at).map((when): Death => ({ at, when })),
    );
    const runs = await Promise.all(
      moments.map(async (death) => ({
        ...death,
        ...(await runStory(cluster, story, { death, expected: end })),
      })),
    );
    for (const run of runs) expect(run).toEqual({ ...run, end });
    hasDied = runs.every((run) => run.hasDied);
  }
}
