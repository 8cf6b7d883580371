import type { PersistentVolumeClaim, PodStatus } from '../../../core/kube/types.ts';
import { compact } from '../../../core/lib/compact.ts';
import { engineIncarnationOf } from '../render/childNames.ts';
import { runningWorld, type World } from '../testing/world.ts';

describe('an engine that dies', () => {
  const killed = (reason: string, exitCode: number, message = 'eth_call\neth_call'): PodStatus => ({
    phase: 'Running',
    // The kubelet has not updated the condition yet.
    conditions: [{ type: 'Ready', status: 'True' }],
    containerStatuses: [
      {
        name: 'rpc',
        ready: false,
        restartCount: 0,
        state: { terminated: { reason, exitCode, message } },
      },
    ],
  });
  const back = (reason: string, exitCode: number, message = ''): PodStatus => ({
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True' }],
    containerStatuses: [
      {
        name: 'rpc',
        ready: true,
        restartCount: 1,
        state: { running: {} },
        lastState: { terminated: { reason, exitCode, message } },
      },
    ],
  });

  it.each<[string, string, number, string]>([
    ['killed', 'Error', 137, 'the engine was terminated by SIGKILL'],
    ['out of memory', 'OOMKilled', 137, 'the engine used more memory than its limit and was killed'],
    ['with an error', 'Error', 3, 'the engine exited with code 3: eth_call'],
  ])(
    '%s: is not Operational as soon as its container has ended, and says why in a sentence',
    (_how, reason, code, text) => {
      const world = runningWorld();
      world.setStatus(killed(reason, code));
      const { status } = world.decide();
      expect(status).toMatchObject({ state: 'Pending', message: `${text}; it is starting again` });
    },
  );

  it('leaves a status that says which block was lost, and an Event', () => {
    const world = runningWorld();
    const { enclaveID } = world.network.status ?? {};
    world.facts = { lastBlock: 7 };
    world.setStatus(back('Error', 137));
    world.settle();
    const { status } = world.network;
    expect(status?.enclaveID).not.toBe(enclaveID);
    expect(status?.message).toMatch(
      /^running; the chain before this one ended at block 7 on .*: the engine was terminated by SIGKILL$/,
    );
    expect(world.events.map(({ reason }) => reason)).toContain('ChainEnded');
  });

  it('does not show the fork source in what its chain has ended with', () => {
    const forkSource = 'http://forks/forks/Ethereum/u-1/THE-TOKEN';
    const world = runningWorld({ fork: {} });
    world.facts = { forkSource, answers: { forkHead: { block: 7 } } };
    world.setStatus(back('Error', 1, `error: cannot reach ${forkSource}`));
    world.settle();
    const { message } = world.network.status ?? {};
    expect(message).toMatch(/the chain before this one ended .*: error: cannot reach \[fork source\]/);
    expect(JSON.stringify([world.network.status, world.events])).not.toContain('THE-TOKEN');
  });

  describe('because it was hung', () => {
    const report = 'liveness: no answer';
    const cause = 'the engine did not answer for three minutes and was ended';

    it('says so, while it starts again and in the status of the next chain', () => {
      const world = runningWorld();
      world.setStatus(killed('Error', 137, report));
      expect(world.decide().status.message).toBe(`${cause}; it is starting again`);
      world.setStatus(back('Error', 137, report));
      world.settle();
      expect(world.network.status?.previousChain?.reason).toBe(cause);
    });

    it('is found out by the check of its image, with minutes for one that is busy', () => {
      const [pod] = runningWorld().pods;
      const { livenessProbe: probe } = pod?.spec.containers[0] ?? {};
      expect(probe?.exec?.command).toEqual(['/bin/bash', '/usr/local/bin/alive.sh', '8545']);
      expect((probe?.periodSeconds ?? 0) * (probe?.failureThreshold ?? 0)).toBe(180);
    });
  });

  it('loses nothing on a volume', () => {
    const world = runningWorld({}, { persistent: true });
    const { enclaveID } = world.network.status ?? {};
    world.setStatus(back('Error', 137));
    world.settle();
    expect(world.network.status?.enclaveID).toBe(enclaveID);
    expect(world.network.status?.previousChain).toBeUndefined();
  });
});

describe('a volume that somebody deletes while its network runs', () => {
  const claimOf = ({ network }: World, uid: string, deletionTimestamp?: string): PersistentVolumeClaim => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    spec: {},
    metadata: {
      name: `net-rpc-data-${engineIncarnationOf(network)}`,
      namespace: 'ws',
      uid,
      ...compact({ deletionTimestamp }),
    },
  });

  it('is reported while its pod still has the data, and as the end of the chain when it is another one', () => {
    const world = runningWorld({}, { persistent: true });
    const { enclaveID } = world.network.status ?? {};
    world.facts = { volumeClaims: [claimOf(world, 'v-1')] };
    world.settle();
    expect(world.network.status).toMatchObject({ message: 'running', incarnation: { volume: 'v-1' } });
    world.facts = { volumeClaims: [claimOf(world, 'v-1', '2030-01-02T03:04:05Z')], lastBlock: 7 };
    world.settle();
    expect(world.network.status).toMatchObject({
      state: 'Operational',
      enclaveID,
      message: expect.stringContaining('was deleted, so its data is lost'),
    });
    // The new volume shows after the new pod. It has the same name.
    world.pods = [];
    world.facts = { volumeClaims: [], lastBlock: 7 };
    world.settle();
    expect(world.network.status).toMatchObject({ enclaveID });
    world.facts = { volumeClaims: [claimOf(world, 'v-2')], lastBlock: 7 };
    world.settle();
    expect(world.network.status).toMatchObject({
      incarnation: { volume: 'v-2', losses: 1 },
      previousChain: { enclaveID, lastBlock: 7, reason: 'its volume was replaced by another one' },
    });
    expect(world.events.map(({ reason }) => reason)).toContain('ChainEnded');
  });

  it('is not reported when a pod is replaced on the same volume', () => {
    const world = runningWorld({}, { persistent: true });
    world.facts = { volumeClaims: [claimOf(world, 'v-1')] };
    world.settle();
    world.pods = [];
    world.settle();
    expect(world.network.status?.previousChain).toBeUndefined();
  });
});

it('a network that has become persistent says that its present chain is not on a volume yet', () => {
  const messageOf = ({ network }: World) =>
    network.status?.conditions?.find(({ type }) => type === 'Persistent')?.message;
  const world = runningWorld();
  world.change({ persistent: true });
  world.settle();
  expect(messageOf(world)).toMatch(
    /^within the quota .*; the present chain is in its pod and is lost with it/,
  );
  world.request('ResetState', 1);
  world.settle();
  expect(world.network.status?.storage).toBe('Volume');
  expect(messageOf(world)).toBe('within the quota of persistent networks');
});

it('an idle stop says at which block the chain ended, also after the next start', () => {
  const world = runningWorld();
  const { enclaveID } = world.network.status ?? {};
  world.facts = { lastBlock: 9 };
  world.nowMs += 25 * 3_600_000;
  world.settle();
  expect(world.network.status).toMatchObject({
    state: 'Stopped',
    previousChain: { enclaveID, lastBlock: 9 },
  });
  world.facts = {};
  world.change({});
  world.settle();
  expect(world.network.status?.message).toMatch(/ended at block 9 on .*: the network stopped when idle$/);
});
