import type { PodStatus } from '../../../core/kube/types.ts';
import { aNetwork, aPod, factsOf, hotAddress, nowMs, readyStatus } from '../testing/facts.ts';
import { decide } from './decide.ts';
import type { NetworkFacts } from './facts.ts';

describe('the state', () => {
  const network = aNetwork();
  const waiting = (reason: string, message: string): PodStatus => ({
    phase: 'Pending',
    containerStatuses: [
      { name: 'rpc', ready: false, restartCount: 0, state: { waiting: { reason, message } } },
    ],
  });
  const crash: PodStatus = {
    phase: 'Running',
    containerStatuses: [
      {
        name: 'rpc',
        ready: false,
        restartCount: 3,
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: { terminated: { exitCode: 2, message: 'error: no such\nfork' } },
      },
    ],
  };
  const cases: [string, PodStatus | undefined, string, RegExp, number][] = [
    ['the pod does not exist yet', undefined, 'Pending', /does not exist yet/, 3],
    [
      'the pod cannot be scheduled',
      {
        phase: 'Pending',
        conditions: [{ type: 'PodScheduled', status: 'False', message: 'Insufficient cpu' }],
      },
      'Pending',
      /Insufficient cpu/,
      3,
    ],
    [
      'the image cannot be pulled',
      waiting('ImagePullBackOff', 'not found'),
      'Error',
      /evm-dev:1 cannot be pulled/,
      3,
    ],
    [
      'the container cannot be created',
      waiting('CreateContainerConfigError', 'no key'),
      'Error',
      /no key/,
      3,
    ],
    ['the engine crashes', crash, 'Error', /exited with code 2: error: no such fork/, 3],
    ['the engine starts', waiting('ContainerCreating', ''), 'Pending', /being created/, 4],
    ['the engine is ready', readyStatus, 'Operational', /^running$/, 4],
  ];
  it.each(cases)('%s', (_reason, podStatus, state, message, step) => {
    const pods = podStatus ? [aPod(network, podStatus)] : [];
    const { status } = decide(factsOf(network, { pods }));
    expect(status.state).toBe(state);
    expect(status.message).toMatch(message);
    expect(status.execution).toMatchObject({ currentStep: step, totalSteps: 4 });
  });

  it('of a network that is being deleted is Stopping, with no children', () => {
    const metadata = { ...network.metadata, deletionTimestamp: '2030-01-02T03:04:00Z' };
    const decision = decide(factsOf({ ...network, metadata }, { pods: [aPod(network, readyStatus)] }));
    expect(decision.status.state).toBe('Stopping');
    expect(decision.children).toEqual([]);
  });
});

describe('the progress of provisioning shows which accounts are funded', () => {
  const member = '0x00000000000000000000000000000000000000BB';
  const none = { hotKey: undefined };
  it.each<[string, Partial<NetworkFacts>, string]>([
    ['only the hot key', {}, `funds ${hotAddress}`],
    [
      'also members of the workspace',
      { memberAddresses: [member] },
      `funds ${hotAddress} and 1 more account`,
    ],
    ['each account once', { memberAddresses: [hotAddress] }, `funds ${hotAddress}`],
    ['only members', { ...none, memberAddresses: [member] }, `funds ${member}`],
    ['nobody', none, 'no account is funded'],
  ])('%s', (_reason, others, text) => {
    const network = aNetwork();
    const { status } = decide(factsOf(network, { pods: [aPod(network, readyStatus)], ...others }));
    expect(status.execution?.output?.split('\n')[0]).toBe(`1/4 resolve keys and sources: ${text} — done`);
  });
});

describe('the status of a running network', () => {
  const network = aNetwork({ chainID: '777' });
  const { status } = decide(factsOf(network, { pods: [aPod(network, readyStatus)] }));

  it('has every required field', () => {
    expect(status).toMatchObject({
      state: 'Operational',
      chainID: '777',
      observedMaintenanceNonce: 0,
      lastWakeUpAt: '2030-01-02T03:04:05Z',
      observedGeneration: 1,
    });
    expect(status.enclaveID).toMatch(/^[0-9a-f]{16}$/);
    expect(status.chainSpecHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('has gateway endpoints, without those that need the admin key, which it only names', () => {
    const { rpc = '', ws = '', ...others } = status.endpoints ?? {};
    expect(rpc).toMatch(/^http:\/\/gateway\/rpc\/u-1\/[\w-]{24}\/rpc$/);
    expect(ws).toBe(`${rpc.replace('http', 'ws').slice(0, -3)}ws`);
    expect(others).toEqual({});
    expect(status.adminServices).toEqual(['admin', 'admin-ws']);
    expect(status.accessKeys).toEqual({
      public: { epoch: 0, observedNonce: 0 },
      admin: { epoch: 0, observedNonce: 0 },
    });
  });

  it.each([
    ['running', {}],
    ['stopped', { state: 'Stopped' as const, observedGeneration: 1 }],
  ])('has new URLs once a rotation of the public key is requested: %s', (_state, change) => {
    const spec = { ...network.spec, accessKeyRotation: { publicNonce: 1 } };
    const rotating = { ...network, spec, status: { ...status, ...change } };
    const next = decide(factsOf(rotating, { pods: [aPod(network, readyStatus)] })).status;
    expect(next.accessKeys?.public).toEqual({ epoch: 1, observedNonce: 1 });
    expect(Object.keys(next.endpoints ?? {})).toEqual(['rpc', 'ws']);
    for (const service of ['rpc', 'ws'])
      expect(next.endpoints?.[service]).not.toBe(status.endpoints?.[service]);
  });

  it('has a new enclaveID after a container restart', () => {
    const restarted = {
      ...readyStatus,
      containerStatuses: [{ name: 'rpc', ready: true, restartCount: 1, state: { running: {} } }],
    };
    const later = decide(factsOf(network, { pods: [aPod(network, restarted)] }));
    expect(later.status.enclaveID).not.toBe(status.enclaveID);
  });

  it('is an Error that names both ids while the engine claims another chain id', () => {
    const facts = factsOf({ ...network, status }, { pods: [aPod(network, readyStatus)] });
    const { state, message, chainID } = decide({ ...facts, claimedChainId: '1' }).status;
    expect([state, chainID]).toEqual(['Error', '777']);
    expect(message).toContain("claims chain id 1, but the network's chain id is 777");
    expect(decide({ ...facts, claimedChainId: '777' }).status.state).toBe('Operational');
  });

  it('is no Error because the engine of the former chain had another chain id', () => {
    const former = { state: 'Pending' as const, chainID: '777', enclaveID: 'former' };
    const changed = aNetwork({ chainID: '778' }, { status: former });
    const facts = factsOf(changed, { pods: [aPod(changed, readyStatus)] });
    const next = decide({ ...facts, claimedChainId: '777', answers: { readiness: true } }).status;
    expect([next.state, next.chainID]).toEqual(['Operational', '778']);
  });

  it('keeps the time of the first start', () => {
    const running = { ...network, status };
    const later = decide(factsOf(running, { nowMs: nowMs + 60_000, pods: [aPod(network, readyStatus)] }));
    expect(later.status.lastWakeUpAt).toBe('2030-01-02T03:04:05Z');
    expect(later.status.conditions).toEqual(status.conditions);
  });
});

it.each([
  [{ validatorCount: 64 }, 'validatorCount has no effect without spec.chain.ethereum.participants'],
  [{ ejectionBalance: 1, followDistance: 2 }, 'ejectionBalance, followDistance have no effect without'],
])(
  'status.message names the fields of the beacon chain that have no effect without participants: %j',
  (given, text) => {
    const network = aNetwork(given);
    const { status } = decide(factsOf(network, { pods: [aPod(network, readyStatus)] }));
    expect(status).toMatchObject({ state: 'Operational', message: expect.stringContaining(text) });
  },
);
