import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import type { Pod } from '../../../core/kube/types.ts';
import { decide } from '../decide/decide.ts';
import type { NetworkFacts } from '../decide/facts.ts';
import { engineIncarnationOf } from '../render/childNames.ts';
import { aPod, factsOf, readyStatus } from '../testing/facts.ts';
import { running, withStatus } from '../testing/running.ts';

describe('maintenance', () => {
  const ask = (action: 'Restart' | 'ResetState' | 'Resync', nonce: number, chain: object = {}) => {
    const { network } = running(1, {}, chain);
    const asked: Stored<NetworkResource> = {
      ...network,
      spec: { ...network.spec, maintenanceRequest: { action, nonce } },
    };
    const fork = { forkSource: 'http://source', answers: { forkHead: { block: 9 } } };
    return factsOf(asked, { pods: [aPod(network, readyStatus)], ...fork });
  };
  const podNameOf = (facts: NetworkFacts) =>
    decide(facts).children?.find(({ kind }) => kind === 'Pod')?.metadata.name;

  it('is not applied again for an observed nonce', () => {
    const facts = ask('ResetState', 7);
    const done = withStatus(facts, { ...facts.network.status, observedMaintenanceNonce: 7 });
    expect(decide(done).status.state).toBe('Operational');
    expect(podNameOf(done)).toBe(facts.pods[0]?.metadata.name);
  });

  it.each(['ResetState', 'Resync'] as const)(
    '%s starts a new incarnation and is observed once that is ready',
    (action) => {
      const facts = ask(action, 7, { forking: { enabled: true, blockHeight: '5' } });
      const begun = decide(facts);
      expect(podNameOf(facts)).not.toBe(facts.pods[0]?.metadata.name);
      expect(begun.status).toMatchObject({
        state: 'Pending',
        reset: { action, nonce: 7 },
        observedMaintenanceNonce: 0,
      });
      const known = withStatus(facts, begun.status);
      const ended = decide({ ...known, pods: [aPod(known.network, readyStatus)] });
      expect(ended.status).toMatchObject({ state: 'Operational', observedMaintenanceNonce: 7 });
    },
  );

  it('ResetState forks at the block in the spec again, Resync at the latest block', () => {
    const argsOf = (facts: NetworkFacts) => {
      const pod = decide(facts).children?.find(({ kind }) => kind === 'Pod') as Pod | undefined;
      return pod?.spec.containers[0]?.args?.join(' ');
    };
    const chain = { forking: { enabled: true, blockHeight: '5' } };
    expect(argsOf(ask('ResetState', 7, chain))).toContain('--fork-block-number 5');
    expect(argsOf(ask('Resync', 7, chain))).toContain('--fork-block-number 9');
  });

  it('Resync of a network that is not a fork is refused with a message and observed', () => {
    const { status, children } = decide(ask('Resync', 7));
    expect(status).toMatchObject({ state: 'Operational', observedMaintenanceNonce: 7 });
    expect(status.message).toMatch(/Resync is for forked networks/);
    expect(children?.length).toBeGreaterThan(0);
    const facts = ask('Resync', 7);
    expect(decide(withStatus(facts, status)).status.message).toMatch(/Resync is for forked networks/);
  });

  it('Restart keeps the incarnation and is observed once the engine has restarted', () => {
    const facts = ask('Restart', 7);
    const [pod] = facts.pods as [Pod];
    const begun = decide(facts);
    expect(podNameOf(facts)).toBe(pod.metadata.name);
    expect(begun.restart).toMatchObject({ number: 1 });
    expect(begun.status).toMatchObject({ state: 'Pending', observedMaintenanceNonce: 0 });
    const ended = { exitCode: 0, finishedAt: '2030-01-02T03:04:05Z' };
    const after: Pod = {
      ...pod,
      status: {
        ...readyStatus,
        ephemeralContainerStatuses: [
          { name: 'restart-1', ready: false, restartCount: 0, state: { terminated: ended } },
        ],
        containerStatuses: [
          {
            name: 'rpc',
            ready: true,
            restartCount: 1,
            state: { running: { startedAt: '2030-01-02T03:04:06Z' } },
          },
        ],
      },
    };
    const done = decide({ ...withStatus(facts, begun.status), pods: [after] });
    expect(done.restart).toBeUndefined();
    expect(done.status).toMatchObject({ state: 'Operational', observedMaintenanceNonce: 7 });
    expect(done.status.enclaveID).toBe(facts.network.status?.enclaveID);
  });

  it('applies to the incarnation that an earlier reset started', () => {
    const facts = ask('Restart', 8);
    const reset = { action: 'ResetState', nonce: 7 } as const;
    const known = withStatus(facts, { ...facts.network.status, reset, observedMaintenanceNonce: 7 });
    expect(podNameOf(known)).toContain(engineIncarnationOf(known.network));
    expect(decide(known).status.reset).toEqual(reset);
  });
});
