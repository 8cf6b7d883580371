import type { NetworkState } from '../../core/api/resources/networkStatus.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { type Clock, systemClock, toRfc3339 } from '../../core/lib/clock.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { aNetwork } from './testing/facts.ts';
import { type Node, startNode } from './testing/node.ts';
import { createWorkspaceNamespace, type RunningOperator, startOperator } from './testing/operator.ts';

const hourMs = 3_600_000;
const ahead: Clock = { ...systemClock, nowMs: () => systemClock.nowMs() + 48 * hourMs };
const kube = createTestKube({ clock: ahead });

let namespace: string;
let operator: RunningOperator;
let node: Node;

beforeAll(async () => {
  namespace = await createWorkspaceNamespace(kube);
  operator = startOperator({ kube, namespace, clock: ahead });
  node = startNode(kube, operator.caches.pods);
});

afterAll(async () => {
  await operator.stop();
  await node.stop();
  await kube.close();
});

const reach = (name: string, state: NetworkState) =>
  operator.reach(name, ({ status }) => status?.state === state);

async function wokenAgo(name: string, agoMs: number): Promise<void> {
  const status = { lastWakeUpAt: toRfc3339(systemClock.nowMs() - agoMs) };
  await kube.patch(networkType, { namespace, name }, { status }, 'status');
}

it('an operator whose clock is 48 h ahead stops networks that are due, and no others', async () => {
  const young = { ...aNetwork(), metadata: { name: 'young', namespace } };
  const due = { ...aNetwork(), metadata: { name: 'due', namespace } };
  await kube.create(networkType, young);
  await kube.create(networkType, due);
  const before = await reach('young', 'Operational');
  await reach('due', 'Operational');
  await wokenAgo('young', 23 * hourMs);
  await wokenAgo('due', 25 * hourMs);
  // Networks are reconciled in the order of their changes: the second has stopped, so the first was reconciled.
  await reach('due', 'Stopped');
  const { status } = (await kube.get(networkType, { namespace, name: 'young' })) ?? {};
  expect(status).toMatchObject({ state: 'Operational', enclaveID: before.status?.enclaveID });
  expect(
    Math.abs(Date.parse(String(status?.conditions?.[0]?.lastTransitionTime)) - systemClock.nowMs()),
  ).toBeLessThan(hourMs);
});
