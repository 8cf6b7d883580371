import { labels } from '../../../core/api/names.ts';
import type { ConfigMap, CoreSecret, Pod, Service } from '../../../core/kube/types.ts';
import { chainMembersOf } from '../../../core/networks/chainChange.ts';
import { engineIncarnationOf } from '../render/childNames.ts';
import { aNetwork, nowMs, readyStatus } from '../testing/facts.ts';
import { begun, facts, participants, podOf } from '../testing/participants.ts';
import { decide } from './decide.ts';

const kindsOf = (children: { kind: string }[] | undefined) => children?.map(({ kind }) => kind);

describe('before the genesis time of a chain is fixed', () => {
  const network = aNetwork({ participants });

  it('a pod that runs once pulls the images', () => {
    const { children, status } = decide(facts(network));
    expect(kindsOf(children)).toEqual(['Pod']);
    const [pod] = children as Pod[];
    expect(pod?.spec.restartPolicy).toBe('Never');
    expect(pod?.spec.containers.map(({ image }) => image)).toEqual([
      'ethereum-genesis:1',
      'geth:1',
      'prysm:1',
      'prysm-validator:1',
    ]);
    expect(status.state).toBe('Pending');
    expect(status.genesis).toBeUndefined();
  });

  it('an image that cannot be pulled is reported as an Error with its name', () => {
    const waiting = { reason: 'ImagePullBackOff', message: 'no such host' };
    const containerStatuses = [{ name: 'image-1', ready: false, restartCount: 0, state: { waiting } }];
    const pods = [podOf(network, 'prepare', { phase: 'Pending', containerStatuses })];
    const { status, children } = decide(facts(network, { pods }));
    expect(status.state).toBe('Error');
    expect(status.message).toMatch(/image geth:1 cannot be pulled .*no such host/);
    expect(kindsOf(children)).toEqual(['Pod']);
  });

  it('existing engines are kept, because the cache is stale', () => {
    const pods = [podOf(network, 'el-1', readyStatus)];
    expect(decide(facts(network, { pods })).children).toBeUndefined();
  });

  it.each(['Succeeded', 'Failed'] as const)('the end of that pod (%s) fixes the time, once', (phase) => {
    const pods = [podOf(network, 'prepare', { phase })];
    const { children, status } = decide(facts(network, { pods }));
    const at = new Date(nowMs + 8_000).toISOString().replace('.000', '');
    expect(status.genesis).toEqual({ incarnation: engineIncarnationOf(network), at });
    expect(children?.filter(({ kind }) => kind === 'Pod')).toHaveLength(3);
    expect(JSON.stringify(children)).toContain(`MIN_GENESIS_TIME: ${(nowMs + 8_000) / 1_000}`);
  });
});

describe('a chain with a genesis time', () => {
  const network = begun();

  it('keeps that time, whatever pods exist', () => {
    const { children, status } = decide(facts(network));
    expect(status.genesis).toEqual(network.status?.genesis);
    expect(JSON.stringify(children)).toContain(
      `MIN_GENESIS_TIME: ${Date.parse('2030-01-02T03:04:00Z') / 1_000}`,
    );
    expect(decide(facts(network)).children).toEqual(children);
  });

  it('has a new incarnation after a spec change or a reset, and a new genesis time', () => {
    const { status } = decide(facts(network));
    const changed = { ...begun({ participants, blockTime: 2 }), status };
    const maintenanceRequest = { action: 'ResetState' as const, nonce: 4 };
    const reset = { ...network, status, spec: { ...network.spec, maintenanceRequest } };
    for (const next of [changed, reset]) expect(kindsOf(decide(facts(next)).children)).toEqual(['Pod']);
  });

  it('loses the time together with its data when the network is stopped', () => {
    const idle = { ...network, status: { ...network.status, lastWakeUpAt: '2029-12-30T03:00:00Z' } };
    const { status } = decide(facts(idle));
    expect(status.state).toBe('Stopping');
    expect(status.genesis).toBeUndefined();
  });

  const readyPods = ['el-1', 'cl-1', 'vc-1'].map((part) => podOf(network, part, readyStatus));

  it('is Operational once every part is ready and its node returns transactions', () => {
    const answers = { readiness: true };
    const stateWith = (pods: Pod[]) => decide(facts(network, { pods, answers })).status.state;
    expect(stateWith(readyPods)).toBe('Operational');
    expect(stateWith(readyPods.slice(1))).toBe('Pending');
  });

  it('calls its node only when every part is ready', () => {
    expect(decide(facts(network, { pods: readyPods })).asks?.readiness?.call.method).toBe(
      'eth_getTransactionReceipt',
    );
    expect(decide(facts(network, { pods: readyPods.slice(1) })).asks?.readiness).toBeUndefined();
  });

  it('waits for a node that does not return transactions yet, and calls it again soon', () => {
    const decision = decide(facts(network, { pods: readyPods, answers: { readiness: false } }));
    expect(decision.status).toMatchObject({
      state: 'Pending',
      message: expect.stringContaining('next block'),
    });
    expect(decision).toMatchObject({ requeueAfterMs: 500 });
    expect(decision.asks?.readiness).toBeUndefined();
  });

  it('does not call its node once it is Operational', () => {
    const { status } = decide(facts(network, { pods: readyPods, answers: { readiness: true } }));
    const running = { ...network, status: { ...network.status, ...status } };
    const decision = decide(facts(running, { pods: readyPods }));
    expect(decision.status.state).toBe('Operational');
    expect(decision.asks?.readiness).toBeUndefined();
  });

  it('has a new enclaveID when chain data is lost, but not when a process restarts', () => {
    const enclaveOf = (...pods: Pod[]) => decide(facts(network, { pods })).status.enclaveID;
    const el = podOf(network, 'el-1', readyStatus);
    const cl = podOf(network, 'cl-1', readyStatus);
    const restarted = { ...readyStatus, containerStatuses: [{ name: 'el-1', ready: true, restartCount: 3 }] };
    const first = enclaveOf(el, cl, podOf(network, 'vc-1', readyStatus));
    expect(enclaveOf(cl, podOf(network, 'el-1', restarted))).toBe(first);
    expect(enclaveOf(el, cl, podOf(network, 'vc-1', readyStatus, 'another'))).toBe(first);
    expect(enclaveOf(cl, podOf(network, 'el-1', readyStatus, 'another'))).not.toBe(first);
  });
});

describe('extra arguments that a client may not have, set with kubectl or accepted by an earlier release', () => {
  const elExtraArgs = '--cache=256;id';
  const refusal = 'spec.chain.ethereum.participants[0].elExtraArgs: "--cache" takes a whole number';

  it('start no network, and the message says what to write', () => {
    const { status, children } = decide(facts(begun({ participants: [{ elExtraArgs }] })));
    expect(status).toMatchObject({ state: 'Error', message: expect.stringContaining(refusal) });
    expect(children).toEqual([]);
  });

  it('leave a network that runs with them alone, and the message says that it cannot start again', () => {
    const network = begun({ participants: [{ elExtraArgs }] });
    const members = chainMembersOf(network.spec);
    const incarnation = { number: 0, members, revision: 0, startedAt: '2030-01-02T03:04:20Z' };
    const running = { ...network, status: { ...network.status, state: 'Operational' as const, incarnation } };
    const pods = ['el-1', 'cl-1', 'vc-1'].map((part) => podOf(running, part, readyStatus));
    const { status, children } = decide(facts(running, { pods }));
    expect(status).toMatchObject({
      state: 'Operational',
      message: expect.stringContaining(`running; cannot be reprovisioned: ${refusal}`),
    });
    expect(children).toBeUndefined();
  });
});

describe('the children of a network of several parts', () => {
  const network = begun({ participants: [{ count: 2 }] });
  const children = decide(facts(network)).children ?? [];
  const ofKind = <T>(kind: string) => children.filter((child) => child.kind === kind) as T[];

  it('match the snapshot', () => {
    // Without the content of files, which tests in core/chains cover.
    const files = ofKind<ConfigMap>('ConfigMap').map(({ data, ...file }) => ({
      ...file,
      data: Object.keys(data ?? {}),
    }));
    expect([...children.filter(({ kind }) => kind !== 'ConfigMap'), ...files]).toMatchSnapshot();
  });

  it('include a Service for each part that serves, with the names of its endpoints', () => {
    const services = ofKind<Service>('Service').filter(({ spec }) => spec.ports);
    const names = services.map(({ spec }) => spec.ports?.map(({ name }) => name));
    expect(names).toEqual([['rpc', 'ws', 'el-1'], ['cl-1'], ['el-2'], ['cl-2']]);
    for (const { spec } of services) {
      const numbers = spec.ports?.map(({ port }) => port);
      expect(new Set(numbers).size).toBe(numbers?.length);
    }
  });

  it('include no Service that takes an address of the cluster', () => {
    const addresses = ofKind<Service>('Service').map(({ spec }) => spec.clusterIP);
    expect(new Set(addresses)).toEqual(new Set(['None']));
  });

  it('include a host name for each part, which arguments and files refer to', () => {
    const hosts = ofKind<Service>('Service').filter(({ spec }) => !spec.ports);
    expect(hosts).toHaveLength(6);
    const text = JSON.stringify(ofKind<Pod>('Pod').map(({ spec }) => spec.containers));
    const called = [...text.matchAll(/net-[a-z]+-\d-[0-9a-f]{10}/g)].map(([name]) => name);
    for (const name of new Set(called)) {
      expect(hosts.map(({ metadata }) => metadata.name)).toContain(name);
    }
  });

  it('include one Secret with all keys, of which each container mounts only what it needs', () => {
    const [secret, ...others] = ofKind<CoreSecret>('Secret');
    expect(others).toEqual([]);
    const values = Object.values(secret?.stringData ?? {});
    const rest = JSON.stringify(children.filter(({ kind }) => kind !== 'Secret'));
    for (const value of values) expect(rest).not.toContain(value);
    const cl = ofKind<Pod>('Pod').find(({ metadata }) => metadata.labels?.[labels.part] === 'cl-1');
    const mounts = cl?.spec.containers[0]?.volumeMounts?.filter(({ name }) => name === 'secrets');
    expect(mounts?.map(({ subPath }) => subPath)).toEqual(['jwt-1', 'cl-1']);
  });

  it('include volumes if the network is persistent', () => {
    const persistent = { ...network, spec: { ...network.spec, persistent: true } };
    const claims = decide(facts(persistent)).children?.filter(({ kind }) => kind === 'PersistentVolumeClaim');
    expect(claims).toHaveLength(6);
  });
});

it('the status reports an image that is not allowed', () => {
  const network = aNetwork({ participants: [{ elImage: 'evil.example/geth:1' }] });
  const { status } = decide(facts(network));
  expect(status.state).toBe('Error');
  expect(status.message).toMatch(/participants\[0\]\.elImage: .*is not allowed/);
});
