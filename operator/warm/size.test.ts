import type { Stored } from '../../core/api/resources/kubeObject.ts';
import type { Pod, PodStatus } from '../../core/kube/types.ts';
import { readyStatus } from '../network/testing/facts.ts';
import { planPool } from './size.ts';

const nowMs = 10_000_000;
const minute = 60_000;
const settings = { enabled: true, min: 0, max: 2, defaultWorkspace: 1, recentSeconds: 3600 };
const pod = (name: string, status: PodStatus = readyStatus) =>
  ({ metadata: { name, uid: name }, spec: { containers: [] }, status }) as unknown as Stored<Pod>;

function plan(facts: Partial<Parameters<typeof planPool>[0]>) {
  const { create, remove, nextMs } = planPool({
    settings,
    isDefaultWorkspace: false,
    uses: [],
    pausedUntilMs: 0,
    nowMs,
    pods: [],
    isCurrent: () => true,
    ...facts,
  });
  return { create, remove: remove.map(({ metadata }) => metadata.name), nextMs };
}

const ago = (...minutes: number[]) => minutes.map((one) => nowMs - one * minute);

it.each<[string, Parameters<typeof plan>[0], number]>([
  ['none where nobody has started a network', {}, 0],
  ['one in the default workspace, for the first network', { isDefaultWorkspace: true }, 1],
  ['one after one start', { uses: ago(5) }, 1],
  ['as many as networks started lately', { uses: ago(7, 5) }, 2],
  ['no more than the installation allows', { uses: ago(9, 7, 5, 4) }, 2],
  ['none for starts that are long ago', { uses: ago(90, 61) }, 0],
  ['those of the installation everywhere', { settings: { ...settings, min: 3 } }, 3],
  ['none when they are switched off', { settings: { ...settings, enabled: false, min: 3 }, uses: ago(5) }, 0],
  ['none while networks need the room', { uses: ago(5), pausedUntilMs: nowMs + minute }, 0],
  ['none while a network is starting, which needs the processor', { uses: [nowMs - 500] }, 0],
  ['only those that are missing', { uses: ago(7, 5), pods: [pod('a')] }, 1],
])('creates %s', (_which, facts, create) => {
  expect(plan(facts)).toMatchObject({ create, remove: [] });
});

it('removes those that nobody needs any more, and keeps the ready ones', () => {
  const pods = [pod('starting', {}), pod('ready'), pod('other', {})];
  expect(plan({ uses: ago(5), pods })).toMatchObject({ create: 0, remove: ['starting', 'other'] });
});

it('replaces those of a former image, and no others', () => {
  const pods = [pod('former'), pod('current')];
  const isCurrent = ({ metadata }: Pod) => metadata.name === 'current';
  expect(plan({ uses: ago(7, 5), pods, isCurrent })).toMatchObject({ create: 1, remove: ['former'] });
});

it('replaces those that have ended', () => {
  expect(plan({ uses: ago(5), pods: [pod('evicted', { phase: 'Failed' })] })).toMatchObject({
    create: 1,
    remove: ['evicted'],
  });
});

it.each<[string, Parameters<typeof plan>[0], number | undefined]>([
  ['a start no longer counts', { uses: ago(50), pods: [pod('a')] }, 10 * minute],
  ['a network that starts has settled', { uses: [nowMs - 500] }, 1_500],
  ['the pause is over', { pausedUntilMs: nowMs + minute }, minute],
  ['never, without use', {}, undefined],
])('looks again when %s', (_when, facts, nextMs) => {
  expect(plan(facts).nextMs).toBe(nextMs);
});
