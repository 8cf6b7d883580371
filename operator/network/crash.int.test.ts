import { jest } from '@jest/globals';
import { annotations } from '../../core/api/names.ts';
import type { NetworkResource, NetworkState } from '../../core/api/network.ts';
import { createKube } from '../../core/kube/client.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createMortalKube, type Death } from './testing/mortalKube.ts';
import { startOperator } from './testing/operator.ts';
import { type Hands, type IsThere, openStage, type Stage } from './testing/stage.ts';

jest.setTimeout(300_000);

const kubeconfigPath = process.env.SLIPWAY_TEST_KUBECONFIG ?? '';
const cluster = createKube({ kubeconfigPath, log: silentLog, clock: systemClock });
afterAll(() => cluster.close());

type Act = (hands: Hands) => Promise<void>;
type Row = [story: string, before: Act, begin: Act, isOver: IsThere];

const spec = (more: object = {}): NetworkResource['spec'] => ({
  chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' }, chainID: '424242', ...more } },
});
const isIn =
  (state: NetworkState): IsThere =>
  (network) =>
    network?.status?.state === state && network.status.observedGeneration === network.metadata.generation;
const hasObserved =
  (nonce: number): IsThere =>
  (network) =>
    isIn('Operational')(network, 0) && network?.status?.observedMaintenanceNonce === nonce;

const running = (network = spec()): Act => {
  return async ({ create, reach }) => {
    await create(network);
    await reach(isIn('Operational'));
  };
};
const fallIdle: Act = ({ patch }) => patch({ status: { lastWakeUpAt: '2020-01-01T00:00:00Z' } }, 'status');
const stopped: Act = async (hands) => {
  await running()(hands);
  await fallIdle(hands);
  await hands.reach(isIn('Stopped'));
};
const ask =
  (action: string): Act =>
  ({ patch }) =>
    patch({ spec: { maintenanceRequest: { action, nonce: 7 } } });
const nothing: Act = async () => undefined;

const rows: Row[] = [
  ['a network is provisioned', nothing, ({ create }) => create(spec()), isIn('Operational')],
  [
    'one with a volume is provisioned',
    nothing,
    ({ create }) => create({ ...spec(), persistent: true }),
    isIn('Operational'),
  ],
  ['it is idle and stops', running(), fallIdle, isIn('Stopped')],
  [
    'it is woken',
    stopped,
    ({ patch }) => patch({ metadata: { annotations: { [annotations.wake]: 'now' } } }),
    isIn('Operational'),
  ],
  ['Restart', running(), ask('Restart'), hasObserved(7)],
  ['ResetState', running(), ask('ResetState'), hasObserved(7)],
  ['Resync', running(spec({ forking: { enabled: true } })), ask('Resync'), hasObserved(7)],
  [
    'its chain is changed',
    running(),
    ({ patch }) => patch({ spec: { chain: { ethereum: { blockTime: 3 } } } }),
    isIn('Operational'),
  ],
  [
    'it is deleted',
    running(),
    ({ remove }) => remove(),
    (network, children) => network === undefined && children === 0,
  ],
];

interface Life {
  /** What the first operator wrote; it died at the last of these when `hasDied`. */
  writes: string[];
  hasDied: boolean;
  end: object;
}

/** Lives a story on a stage of its own. When the operator dies, the next one takes over. */
async function live([, before, begin, isOver]: Row, death?: Death, expected?: object): Promise<Life> {
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

/** As many lives at the same time as make good use of two cores. */
const stride = 4;

it.each(rows)('%s: whenever the operator dies, it ends as if it had not', async (...row) => {
  const { end, writes } = await live(row);
  expect(writes.length).toBeGreaterThan(0);
  let hasDied = true;
  for (let first = 1; hasDied; first += stride) {
    const moments = Array.from({ length: stride }, (_, i) => first + i).flatMap((at): Death[] => [
      { at, when: 'before' },
      { at, when: 'after' },
    ]);
    const lives = await Promise.all(
      moments.map(async (death) => ({ ...death, ...(await live(row, death, end)) })),
    );
    for (const life of lives) expect(life).toEqual({ ...life, end });
    hasDied = lives.every((life) => life.hasDied);
  }
});
