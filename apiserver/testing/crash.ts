import {
  apiKeyType,
  idempotencyRecordType,
  invitationType,
  membershipType,
  secretType,
  userType,
  workspaceType,
} from '../../core/api/resources/resources.ts';
import type { Kube, KubeObject } from '../../core/kube/kube.ts';
import { createFakeKube } from '../../core/kube/testing/fake/fake.ts';
import { createMortalKube, type Death } from '../../core/kube/testing/mortalKube.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { type AccountsApi, accountsApiOver } from './accountsApi.ts';
import { eventually } from './eventually.ts';
import type { Answer, RequestOptions } from './harness.ts';

/** A request that the story is about; null: without credentials. */
interface StoryRequest {
  token: string | null;
  path: string;
  options: RequestOptions;
}

/** What exists before, and the request during which a replica crashes. */
export type Story = (world: AccountsApi<Kube>) => Promise<StoryRequest>;

interface Run {
  writes: string[];
  hasDied: boolean;
  answer: Answer;
  state: unknown[];
}

interface RunOptions {
  death?: Death;
  /** Looks at the world through a live replica, after the last answer. */
  check?(world: AccountsApi<Kube>, answer: Answer): Promise<void>;
}

/** How long a crashed replica still holds an idempotency record. */
const holdMs = 61_000;

/** One replica receives the request; if it crashes, the caller repeats the same request at another one. */
export async function runStory(story: Story, { death, check }: RunOptions = {}): Promise<Run> {
  const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
  const kube = createFakeKube({ clock });
  const survivor = await accountsApiOver<Kube>(kube, { clock });
  const mortal = createMortalKube(kube, death);
  const doomed = await accountsApiOver(mortal.kube, { clock });
  try {
    const { token, path, options } = await story(survivor);
    clock.advance(1000);
    if (token !== null) await recordUse(kube, doomed, token);
    const headers = { 'Idempotency-Key': 'story', ...options.headers };
    const send = (world: AccountsApi<Kube>) => world.ask(token, path, { ...options, headers });
    mortal.arm();
    const first = send(doomed);
    // A replica that has crashed answers nobody.
    first.catch(() => undefined);
    await Promise.race([first, mortal.died]);
    const writes = [...mortal.writes];
    if (mortal.isDead()) clock.advance(holdMs);
    const answer = await (mortal.isDead() ? send(survivor) : first);
    const state = await stateOf(kube);
    await check?.(survivor, answer);
    return { writes, hasDied: mortal.isDead(), answer, state };
  } finally {
    await Promise.all([survivor.api.close(), doomed.api.close()]);
  }
}

/** The use of a key is written in the background, once a minute: afterwards all writes are those of the request. */
async function recordUse(kube: Kube, world: AccountsApi<Kube>, token: string): Promise<void> {
  await world.ask(token, '/me');
  const [id = ''] = token.split('.');
  const place = { namespace: 'slipway-system' };
  await eventually(
    async () => {
      const key = await kube.get(apiKeyType, { ...place, name: id });
      const user = await kube.get(userType, { ...place, name: 'admin' });
      return key ? key.status?.lastUsedAt : user?.status?.bootstrapKey?.lastUsedAt;
    },
    (time) => time !== undefined,
  );
}

const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const id =
  /\b(?:[wikup][0-9a-f]{24}|r[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/g;
const ownOfEach = [
  ...[
    'resourceVersion',
    'creationTimestamp',
    'generation',
    'managedFields',
    'lastUsedAt',
    'heldUntil',
    'seed',
  ],
];

/** Everything in the cluster, with ids, hashes and times replaced: equal for equal histories. */
async function stateOf(kube: Kube): Promise<unknown[]> {
  const lists = await Promise.all([
    kube.list(apiKeyType),
    kube.list(idempotencyRecordType),
    kube.list(invitationType),
    kube.list(membershipType),
    kube.list(secretType),
    kube.list(userType),
    kube.list(workspaceType),
  ]);
  const objects = lists.flatMap(({ items }) => items as KubeObject[]);
  const texts = objects.map((object) => JSON.stringify(object, plain).replace(time, 'time'));
  const blank = (text: string) => text.replace(id, 'id');
  texts.sort((a, b) => (blank(a) < blank(b) ? -1 : 1));
  const names = new Map<string, string>();
  return texts.map((text) =>
    JSON.parse(
      text.replace(id, (word) => {
        const name = names.get(word) ?? `id-${names.size}`;
        names.set(word, name);
        return name;
      }),
    ),
  );
}

function plain(key: string, value: unknown): unknown {
  if (ownOfEach.includes(key)) return undefined;
  // Sealed with a nonce of its own.
  return ['answer', 'data'].includes(key) ? 'sealed' : value;
}

/** Deleting what is gone already is 404. */
const repeatedStatuses = (status: number) => (status === 204 ? [204, 404] : [status]);

/** A crash at any write, and a repeat, leave the same as a calm run. */
export async function expectCalm(story: Story): Promise<void> {
  const calm = await runStory(story);
  expect(calm.answer.status).toBeLessThan(300);
  expect(calm.writes.length).toBeGreaterThan(0);
  for (const when of ['before', 'after'] as const) {
    for (let at = 1; at <= calm.writes.length; at++) {
      const death: Death = { at, when };
      const { hasDied, answer, state } = await runStory(story, { death });
      expect({ death, hasDied, state }).toEqual({ death, hasDied: true, state: calm.state });
      expect(repeatedStatuses(calm.answer.status)).toContain(answer.status);
    }
  }
}
