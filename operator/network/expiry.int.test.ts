import { networkType } from '../../core/api/resources/resources.ts';
import { coreEventType } from '../../core/kube/types.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { aNetwork } from './testing/facts.ts';
import { createWorkspaceNamespace, type RunningOperator, startOperator } from './testing/operator.ts';

const kube = createTestKube();
let passedMs = 0;
let namespace: string;
let operator: RunningOperator;

beforeAll(async () => {
  namespace = await createWorkspaceNamespace(kube);
  const later = { ...kube, serverTimeMs: async () => (await kube.serverTimeMs()) + passedMs };
  operator = startOperator({ kube: later, namespace });
});

afterAll(async () => {
  await operator.stop();
  await kube.close();
});

/** Has the operator look again. */
const touch = () =>
  kube.patch(networkType, { namespace, name: 'short' }, { metadata: { labels: { seen: `${passedMs}` } } });

it('a network is announced to expire, and then deleted with an Event', async () => {
  const { chain } = aNetwork().spec;
  const metadata = { name: 'short', namespace };
  await kube.create(networkType, { ...aNetwork(), metadata, spec: { chain, expiresAfter: '2m' } });
  const { status } = await operator.reach('short', (network) => network.status?.expiresAt !== undefined);
  expect(status?.conditions?.map(({ type }) => type)).toEqual(['Ready']);
  passedMs = 90_000;
  await touch();
  const isExpiring = ({ type }: { type: string }) => type === 'Expiring';
  await operator.reach('short', (network) => network.status?.conditions?.some(isExpiring) === true);
  passedMs = 200_000;
  const gone = new Promise<void>((resolve) => {
    operator.caches.networks.onChange(({ type, object }) => {
      if (type === 'deleted' && object.metadata.name === 'short') resolve();
    });
  });
  await touch();
  await gone;
  expect(await kube.get(networkType, metadata)).toBeUndefined();
  const fieldSelector = 'involvedObject.name=short';
  const reasons = async () =>
    (await kube.list(coreEventType, { namespace, fieldSelector })).items.map(({ reason }) => reason);
  // Events are written in order in the background.
  let found = await reasons();
  while (!found.includes('Expired')) {
    await operator.caches.networks.waitFor(() => false, { timeoutMs: 50 });
    found = await reasons();
  }
  expect(found).toContain('ExpiresSoon');
});
