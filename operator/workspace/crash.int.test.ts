import { randomBytes } from 'node:crypto';
import { personalWorkspaceIdOf } from '../../core/accounts/ids.ts';
import { membershipType, secretType, userType, workspaceType } from '../../core/api/resources/resources.ts';
import { aUser, aWorkspace } from '../../core/api/testing/accountBuilders.ts';
import { createRawKube } from '../../core/api/testing/rawKube.ts';
import { appliedHashAnnotation } from '../../core/kube/apply/syncChildren.ts';
import type { KubeObject } from '../../core/kube/kube.ts';
import { createMortalKube, type Death } from '../../core/kube/testing/mortalKube.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { createTestKube, testKubeconfig } from '../../hack/testenv/testKube.ts';
import { networkPolicyType, roleBindingType } from './kinds.ts';
import { startAccountsOperator } from './testing/world.ts';

/** The operator crashes before or after each of its writes for an account or a workspace, and another one takes over. */

const kube = createTestKube();
const raw = createRawKube(testKubeconfig());
afterAll(() => Promise.all([kube.close(), raw.close()]));

const pauseMs = 100;
const patienceMs = 60_000;

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const endMs = systemClock.nowMs() + patienceMs;
  while (!(await isDone())) {
    if (systemClock.nowMs() > endMs) throw new Error('not in time');
    await systemClock.sleep(pauseMs);
  }
}

/** One account `user` with its personal workspace, and one more workspace `team`. */
interface Place {
  service: string;
  user: string;
  personal: string;
  team: string;
}

interface Story {
  /** Runs to its end with an operator that does not crash. */
  before(place: Place): Promise<void>;
  begin(place: Place): Promise<void>;
  isOver(place: Place): Promise<boolean>;
}

interface Readied extends KubeObject {
  status?: { conditions?: { type: string; status: string }[] | undefined };
}
const isReady = (object: Readied | undefined) => object?.status?.conditions?.[0]?.status === 'True';

const areReady = async ({ service, user, personal, team }: Place) => {
  const workspaces = await Promise.all(
    [personal, team].map((name) => kube.get(workspaceType, { namespace: service, name })),
  );
  return isReady(await kube.get(userType, { namespace: service, name: user })) && workspaces.every(isReady);
};
const create = async ({ service: namespace, user, team }: Place) => {
  await kube.create(userType, aUser({ name: user, metadata: { namespace } }));
  const spec = { owners: [user] };
  await kube.create(workspaceType, aWorkspace({ name: team, metadata: { namespace }, spec }));
};

/** Replaces the namespace controller, which a test environment does not have. */
async function finalizeIfEnding(name: string): Promise<void> {
  const found = await kube.get(namespaceType, { name });
  if (!found?.metadata.deletionTimestamp) return;
  const { body } = await raw.send('GET', `/api/v1/namespaces/${name}`);
  await raw.send('PUT', `/api/v1/namespaces/${name}/finalize`, {
    body: { ...body, spec: { finalizers: [] } },
  });
}

const stories: [name: string, story: Story][] = [
  [
    'an account and a workspace are created',
    { before: async () => undefined, begin: create, isOver: areReady },
  ],
  [
    'a workspace is deleted',
    {
      async before(place) {
        await create(place);
        await until(() => areReady(place));
      },
      async begin({ service, team }) {
        await kube.delete(workspaceType, { namespace: service, name: team });
      },
      async isOver({ service, team }) {
        await finalizeIfEnding(`slipway-${team}`);
        return (await kube.get(workspaceType, { namespace: service, name: team })) === undefined;
      },
    },
  ],
];

interface Run {
  writes: string[];
  hasDied: boolean;
  state: unknown;
}

async function run(story: Story, death?: Death): Promise<Run> {
  const suffix = randomBytes(4).toString('hex');
  const user = `u${suffix}`;
  const place = {
    service: `crash-${suffix}`,
    user,
    personal: personalWorkspaceIdOf(user),
    team: `w${suffix}`,
  };
  const metadata = { name: place.service };
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata });
  const options = { serviceNamespace: place.service };
  const mortal = createMortalKube(kube, death);
  let operator = await startAccountsOperator(mortal.kube, options);
  try {
    await story.before(place);
    mortal.arm();
    await story.begin(place);
    const isOver = () => story.isOver(place);
    await until(async () => mortal.isDead() || (await isOver()));
    const writes = [...mortal.writes];
    if (mortal.isDead()) {
      await operator.stop();
      operator = await startAccountsOperator(kube, options);
      await until(isOver);
    }
    return { writes, hasDied: mortal.isDead(), state: await stateOf(place) };
  } finally {
    await operator.stop();
  }
}

/** Everything that the operator made for the place, without what differs between equal histories. */
async function stateOf(place: Place): Promise<unknown> {
  const { service: namespace } = place;
  const own = await Promise.all([
    kube.list(userType, { namespace }),
    kube.list(workspaceType, { namespace }),
    kube.list(membershipType, { namespace }),
  ]);
  const inside = await Promise.all(
    [place.personal, place.team].flatMap((id) => {
      const there = { namespace: `slipway-${id}` };
      return [
        kube.list(networkPolicyType, there),
        kube.list(roleBindingType, there),
        kube.list(secretType, there),
      ];
    }),
  );
  const objects = [...own, ...inside].flatMap(({ items }) => items as KubeObject[]);
  const words = Object.entries(place);
  return objects.map((object) => {
    const text = words.reduce(
      (former, [name, word]) => former.replaceAll(word, name),
      JSON.stringify(object, plain),
    );
    return JSON.parse(text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'time'));
  });
}

const ownOfEach = [
  'uid',
  'resourceVersion',
  'generation',
  'observedGeneration',
  'managedFields',
  'data',
  'address',
  appliedHashAnnotation,
];
const plain = (key: string, value: unknown) => (ownOfEach.includes(key) ? undefined : value);

/** Runs whose crashes are tested concurrently. */
const stride = 4;

test.each(stories)('%s: a crash at any write leaves the same as a calm run', async (_name, story) => {
  const calm = await run(story);
  expect(calm.writes.length).toBeGreaterThan(0);
  let hasDied = true;
  for (let first = 1; hasDied; first += stride / 2) {
    const deaths = Array.from({ length: stride }, (_, n): Death => {
      return { at: first + Math.floor(n / 2), when: n % 2 ? 'before' : 'after' };
    });
    const runs = await Promise.all(deaths.map(async (death) => ({ death, ...(await run(story, death)) })));
    for (const one of runs) expect(one).toEqual({ ...one, state: calm.state });
    hasDied = runs.every((one) => one.hasDied);
  }
});
