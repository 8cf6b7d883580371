import { networkType, secretType } from '../../core/api/resources/resources.ts';
import type { EngineSet } from '../../core/engines/engineSet.ts';
import { aSetOf, type ChangingEngines, changingEngines } from '../../core/engines/testing/engineSets.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { podType } from '../../core/kube/types.ts';
import { createWantedBoard, type WantedBoard } from '../wanted/board.ts';
import { aKeySecret, type RunningOperator, startOperator } from './testing/operator.ts';

/** Networks that wait for engines, and those that do not. */

const namespace = 'ws';
const since = '2030-01-02T12:03:10Z';
const offering = (state: 'Buildable' | 'Building', images: object = {}): EngineSet => ({
  ...aSetOf({ 'evm-dev': {}, ...images }),
  offers: {
    thornode:
      state === 'Building' ? { state, takes: 'about 3 minutes', since } : { state, takes: 'about 3 minutes' },
  },
});

let kube: FakeKube;
let engines: ChangingEngines;
let wanted: WantedBoard;
let operator: RunningOperator;
let reconciled: string[];

/** Notes whose status is written, and for which pods are looked at. */
const noting = (to: Kube): Kube => ({
  ...to,
  patch(type, ref, ...rest) {
    if (type.kind === 'Network') reconciled.push(ref.name);
    return to.patch(type, ref, ...rest);
  },
});

beforeEach(async () => {
  kube = createFakeKube();
  engines = changingEngines(offering('Buildable'));
  wanted = createWantedBoard();
  reconciled = [];
  await kube.create(secretType, aKeySecret(namespace));
  operator = startOperator({ kube: noting(kube), namespace, deps: { engines, wanted } });
});
afterEach(() => operator.stop());

const create = (name: string, chain: object = { type: 'Thorchain', thorchain: {} }) =>
  kube.create(networkType, {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Network',
    metadata: { name, namespace },
    spec: { chain } as never,
  });
const says = (name: string, state: string, message: RegExp) =>
  operator.reach(name, ({ status }) => status?.state === state && message.test(status.message ?? ''));
const firstPod = () => operator.caches.pods.waitFor(() => true, { timeoutMs: 120_000 });

it('a network that waits goes on by itself as soon as its engine is there', async () => {
  await create('waits');
  await says(
    'waits',
    'Pending',
    /^waiting for the builder, which makes engines.thornode \(about 3 minutes\)$/,
  );
  engines.become(offering('Building'));
  await says('waits', 'Pending', /^engines.thornode is being built/);
  expect([...wanted.all().keys()]).toEqual(['thornode']);
  expect(await kube.list(podType)).toMatchObject({ items: [] });
  engines.become(offering('Building', { thornode: 'built:1' }));
  expect((await firstPod())?.spec.containers[0]?.image).toBe('built:1');
  expect(wanted.waiting()).toEqual([]);
});

it('a change of the engines looks at the networks that wait, and at no other', async () => {
  await create('waits');
  await create('runs', { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' } } });
  await says('waits', 'Pending', /waiting for the builder/);
  await says('runs', 'Pending', /container is being created/);
  reconciled = [];
  engines.become(offering('Building'));
  await says('waits', 'Pending', /being built/);
  expect(new Set(reconciled)).toEqual(new Set(['waits']));
});

it('a network that is deleted, or stopped, no longer wants its engine', async () => {
  await create('waits');
  await create('stops');
  for (const name of ['waits', 'stops']) await says(name, 'Pending', /builder/);
  expect(wanted.waiting()).toHaveLength(2);
  const stop = { metadata: { annotations: { 'slipway.dev/stop': 'now' } } };
  await kube.patch(networkType, { namespace, name: 'stops' }, stop);
  await operator.reach('stops', ({ status }) => status?.state === 'Stopped');
  await kube.delete(networkType, { namespace, name: 'waits' });
  while (wanted.waiting().length > 0) await new Promise((resolve) => setTimeout(resolve, 1));
  expect([...wanted.all()]).toEqual([]);
});

it('the engines of plugins are wanted together with those of the chain', async () => {
  const plugins = { graph: {} };
  await create('both', { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' }, plugins } });
  await says('both', 'Pending', /container is being created/);
  expect([...wanted.all().keys()]).toEqual(['graph', 'postgres']);
});
