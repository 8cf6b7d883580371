import { annotations } from '../../../core/api/names.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { decide } from '../decide/decide.ts';
import { aNetwork, factsOf, nowMs } from '../testing/facts.ts';
import { at, hourMs, running, withStatus } from '../testing/running.ts';

describe('the idle stop', () => {
  it('does not stop a network until 24 h after its last wake-up, and checks again then', () => {
    const decision = decide(running(23).facts);
    expect(decision.status.state).toBe('Operational');
    expect(decision.requeueAfterMs).toBe(hourMs);
  });

  it('starts after 24 h: no children are desired and the state is Stopping', () => {
    const decision = decide(running(24).facts);
    expect(decision.status.state).toBe('Stopping');
    expect(decision.children).toEqual([]);
  });

  it('counts from the creation of a network that has never started', () => {
    const created = (hours: number) => {
      const network = aNetwork();
      network.metadata.creationTimestamp = at(nowMs - hours * hourMs);
      return decide(factsOf(network)).status.state;
    };
    expect([created(23), created(24)]).toEqual(['Pending', 'Stopping']);
  });

  it('ends as Stopped, with the time, once no pods are left', () => {
    const { facts } = running(24);
    const stopping = decide(facts);
    const still = decide(withStatus(facts, stopping.status));
    expect(still.status.state).toBe('Stopping');
    const stopped = decide(withStatus(facts, still.status, { pods: [] }));
    expect(stopped.status).toMatchObject({ state: 'Stopped', lastStoppedAt: at(nowMs) });
    expect(stopped.status.conditions).toMatchObject([{ type: 'Ready', status: 'False', reason: 'Idle' }]);
  });

  it('does not change the time at later reconciles', () => {
    const { facts } = running(30);
    const stopped = decide(withStatus(facts, decide(facts).status, { pods: [] }));
    const later = decide(withStatus(facts, stopped.status, { pods: [], nowMs: nowMs + hourMs }));
    expect(later.status).toEqual(stopped.status);
  });

  it('never happens to a persistent network', () => {
    expect(decide(running(1000, { persistent: true }).facts).status.state).toBe('Operational');
  });

  it('is delayed while too many others stop', () => {
    const decision = decide({ ...running(24).facts, isStopAllowed: false });
    expect(decision.status.state).toBe('Operational');
    expect(decision.requeueAfterMs).toBeLessThanOrEqual(61_000);
  });

  it('happens after the idle time of the installation', () => {
    const { facts } = running(1);
    const installation = { ...facts.installation, idle: { ...facts.installation.idle, afterSeconds: 1800 } };
    expect(decide({ ...facts, installation }).status.state).toBe('Stopping');
  });

  it('counts from the last use when the spec sets the time, to the minute in which it was recorded', () => {
    const { facts } = running(30, { idleAfter: '30m' });
    const used = (minutesAgo: number) =>
      decide(withStatus(facts, { ...facts.network.status, lastActivityAt: at(nowMs - minutesAgo * 60_000) }));
    expect(used(30)).toMatchObject({ status: { state: 'Operational' }, requeueAfterMs: 61_000 });
    expect(used(31).status).toMatchObject({
      state: 'Stopping',
      message: expect.stringMatching(/^stopping 30 min after its last use; /),
    });
  });

  it('happens at the limit of the installation when the spec sets a longer time, and the message says so', () => {
    const { facts } = running(1, { idleAfter: '48h' });
    const idle = { ...facts.installation.idle, maxAfterSeconds: 7200 };
    const limited = { ...facts, installation: { ...facts.installation, idle } };
    expect(decide(limited).status.message).toContain('spec.idleAfter: 48h is too long');
    expect(decide({ ...limited, nowMs: nowMs + hourMs }).status.state).toBe('Stopping');
  });

  it('reports the idle time in a readable form', () => {
    const { facts } = running(1);
    const installation = { ...facts.installation, idle: { ...facts.installation.idle, afterSeconds: 60 } };
    expect(decide({ ...facts, installation }).status.message).toBe(
      'stopping 60 s after its last wake-up; its data is deleted. Any request or spec change wakes it',
    );
  });
});

describe('waking up', () => {
  const { facts } = running(24);
  const stopped = withStatus(facts, decide(withStatus(facts, decide(facts).status, { pods: [] })).status, {
    pods: [],
  });

  it('does not happen on its own', () => {
    expect(decide(stopped).children).toEqual([]);
  });

  const wakers: [string, Stored<NetworkResource>][] = [
    [
      'a wake annotation',
      {
        ...stopped.network,
        metadata: { ...stopped.network.metadata, annotations: { [annotations.wake]: 'now' } },
      },
    ],
    [
      'a change of the spec',
      { ...stopped.network, metadata: { ...stopped.network.metadata, generation: 2 } },
    ],
    ['becoming persistent', { ...stopped.network, spec: { ...stopped.network.spec, persistent: true } }],
  ];
  it.each(wakers)('follows %s: Pending, with the time', (_reason, network) => {
    const decision = decide({ ...stopped, network });
    expect(decision.status).toMatchObject({ state: 'Pending', lastWakeUpAt: at(nowMs) });
    expect(decision.children?.map(({ kind }) => kind)).toContain('Pod');
    expect(decision.status.lastStoppedAt).toBeDefined();
  });

  it('happens once per wake annotation', () => {
    const metadata = { ...stopped.network.metadata, annotations: { [annotations.wake]: 'once' } };
    const status = { ...stopped.network.status, observedWake: 'once' };
    expect(decide({ ...stopped, network: { ...stopped.network, metadata, status } }).children).toEqual([]);
  });
});
