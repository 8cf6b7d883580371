import { annotations, labels } from '../../../core/api/names.ts';
import type { KubeObject } from '../../../core/api/resources/kubeObject.ts';
import type { NetworkStatus } from '../../../core/api/resources/networkStatus.ts';
import { driverOf } from '../../../core/chains/registry.ts';
import type { CoreSecret, PersistentVolumeClaim, Pod, Service } from '../../../core/kube/types.ts';
import { chainMembersOf } from '../../../core/networks/chainChange.ts';
import { testPlugin } from '../../../core/plugins/testing/testPlugin.ts';
import { pluginIncarnationOf } from '../render/childNames.ts';
import { aNetwork, aPod, factsOf, readyStatus } from '../testing/facts.ts';
import { decide } from './decide.ts';

const plugins = { vrf: { type: 'mpc' } };
const driver = driverOf('Ethereum', { vrf: testPlugin });
const startedWith = ({ spec }: ReturnType<typeof aNetwork>) => ({
  number: 0,
  revision: 0,
  startedAt: '2030-01-02T03:00:01Z',
  members: chainMembersOf(spec),
});
const started = startedWith(aNetwork());
const running = (status: NetworkStatus = {}, chain: object = { plugins }) =>
  aNetwork(chain, { status: { state: 'Operational', enclaveID: 'e', incarnation: started, ...status } });

/** The decision for a network whose chain is ready, with these pods of the plugin. */
function decideFor(network = running(), pods: Pod[] = []) {
  if (!driver) throw new Error('no driver');
  return decide(factsOf(network, { driver, pods: [aPod(network, readyStatus), ...pods] }));
}

function pluginPod(network = running(), part = 'vrf-node', status: Pod['status'] = readyStatus): Pod {
  const pod = aPod(network, status ?? {}, `uid-${part}`);
  const marks = {
    [labels.part]: part,
    [labels.plugin]: 'vrf',
    [labels.incarnation]: pluginIncarnationOf(network),
  };
  const metadata = { ...pod.metadata, name: `net-${part}`, labels: { ...pod.metadata.labels, ...marks } };
  return { ...pod, metadata };
}

const ofKind = <T extends KubeObject>(children: KubeObject[] | undefined, kind: string) =>
  (children ?? []).filter((child) => child.kind === kind) as T[];
const named = ({ metadata }: KubeObject) => metadata.name;

it('a network is Operational without the pods of its plugins, and with failing ones', () => {
  const failing = pluginPod(running(), 'vrf-node', {
    containerStatuses: [
      { name: 'vrf-node', ready: false, restartCount: 3, state: { waiting: { reason: 'ErrImagePull' } } },
    ],
  });
  expect(decideFor().status.state).toBe('Operational');
  expect(decideFor(running(), [failing]).status.state).toBe('Operational');
});

it('a plugin leaves the pod, the Service and the Secrets of the chain as they are', () => {
  const without = decideFor(running({}, {})).children;
  const children = decideFor().children ?? [];
  for (const child of without ?? []) expect(children).toContainEqual(child);
  const added = children.filter(
    (child) => !without?.some((other) => named(other) === named(child) && other.kind === child.kind),
  );
  const hosts = ofKind<Service>(added, 'Service').filter(({ spec }) => !spec.ports);
  expect(hosts).toHaveLength(3);
  const rest = added.filter((child) => !hosts.some((host) => host === child));
  expect(rest.map(({ metadata }) => metadata.labels?.[labels.plugin])).toEqual(rest.map(() => 'vrf'));
  const [secret] = ofKind<CoreSecret>(rest, 'Secret');
  expect(Object.keys(secret?.data ?? {})).toEqual(['vrf-key']);
});

it('the pods of a plugin do not get the source of a fork', () => {
  if (!driver) throw new Error('no driver');
  const network = running({}, { plugins, forking: { enabled: true, blockHeight: '5' } });
  const { children } = decide(factsOf(network, { driver, forkSource: 'http://forks/token' }));
  const given = ofKind<Pod>(children, 'Pod').map((pod) => [
    pod.metadata.labels?.[labels.part],
    JSON.stringify(pod.spec).includes('SLIPWAY_FORK_URL'),
  ]);
  expect(given).toEqual([
    ['rpc', true],
    ['vrf-node', false],
    ['vrf-store', false],
  ]);
});

it('a chain that is lost with its pod takes the data of its plugins along, a kept one does not', () => {
  const former = decideFor();
  const lost = decideFor(running({ storage: 'Pod' }));
  expect(lost.status.incarnation).toMatchObject({ number: 0, losses: 1 });
  const kept = running({ enclaveID: former.status.enclaveID ?? '' });
  expect(decideFor(kept).status.incarnation).not.toHaveProperty('losses');
  const names = (status: NetworkStatus) => ofKind<Pod>(decideFor(running(status)).children, 'Pod').map(named);
  const [chain, ...parts] = names({});
  const [sameChain, ...others] = names({ ...lost.status, incarnation: { ...started, losses: 1 } });
  expect(sameChain).toBe(chain);
  expect(others.filter((name) => parts.includes(name))).toEqual([]);
});

it('a Restart asks the pods of plugins as well, and does not wait for them', () => {
  const network = running();
  const request = {
    ...network,
    spec: { ...network.spec, maintenanceRequest: { action: 'Restart', nonce: 1 } as const },
  };
  const first = decideFor(request, [pluginPod()]);
  expect(first.restart?.pods.map(({ metadata }) => metadata.uid)).toEqual(['p-1', 'uid-vrf-node']);
  const after = aPod(network, readyStatus);
  after.metadata.annotations = { [annotations.maintenance]: '1' };
  if (!driver) throw new Error('no driver');
  const begun = {
    ...request,
    status: { ...request.status, maintenance: { count: 1, action: 'Restart', nonce: 1 } as const },
  };
  const second = decide(factsOf(begun, { driver, pods: [after, pluginPod()] }));
  expect(second.status).toMatchObject({ state: 'Operational', observedMaintenanceNonce: 1 });
  expect(second.restart).toMatchObject({ number: 1, pods: [{ metadata: { uid: 'uid-vrf-node' } }] });
});

it('a plugin that cannot run for now keeps its volume, and one that left the spec does not', () => {
  if (!driver) throw new Error('no driver');
  const claimsOf = (chain: object, volumeClaims: PersistentVolumeClaim[] = []) => {
    const network = running({ storage: 'Volume' }, chain);
    network.spec.persistent = true;
    const facts = factsOf(network, { driver, volumeClaims, pods: [aPod(network, readyStatus)] });
    const claims = ofKind<PersistentVolumeClaim>(decide(facts).children, 'PersistentVolumeClaim');
    return claims.filter(({ metadata }) => metadata.labels?.[labels.plugin] === 'vrf');
  };
  const before = claimsOf({ plugins });
  expect(before).toHaveLength(1);
  // The plugin for tests refuses this without another plugin.
  expect(claimsOf({ plugins: { vrf: { type: 'vrfv2plus' } } }, before)).toEqual(before);
  expect(claimsOf({}, before)).toEqual([]);
});
