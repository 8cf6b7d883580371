import { annotations, labels } from '../../../core/api/names.ts';
import type { NetworkStatus } from '../../../core/api/resources/networkStatus.ts';
import { asStored } from '../../../core/api/testing/stored.ts';
import type { ConfigMap, PersistentVolumeClaim } from '../../../core/kube/types.ts';
import { compact } from '../../../core/lib/compact.ts';
import { decide } from '../decide/decide.ts';
import type { NetworkFacts } from '../decide/facts.ts';
import { aNetwork, aPod, factsOf, nowMs, readyStatus } from '../testing/facts.ts';

const at = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** A network that has run for an hour, with its pod. */
function running(spec: object = {}): NetworkFacts {
  const network = aNetwork({ chainID: '777' });
  network.spec = { ...network.spec, ...spec };
  const { status } = decide(factsOf(network, { pods: [aPod(network, readyStatus)] }));
  const known = { ...network, status: { ...status, lastWakeUpAt: at(nowMs - 3_600_000) } };
  return factsOf(known, { pods: [aPod(known, readyStatus)] });
}

/** A persistent network whose data is on its volume. */
function onVolume(): NetworkFacts {
  const facts = running({ persistent: true });
  const claims = (decide(facts).children ?? []).filter(({ kind }) => kind === 'PersistentVolumeClaim');
  return {
    ...withStatus(facts, { storage: 'Volume' }),
    volumeClaims: claims.map((claim) => asStored(claim as PersistentVolumeClaim)),
  };
}

const withStatus = (facts: NetworkFacts, status: NetworkStatus): NetworkFacts => ({
  ...facts,
  network: { ...facts.network, status: { ...facts.network.status, ...status } },
});

const annotated = (facts: NetworkFacts, values: Partial<Record<'stop' | 'wake', string>>): NetworkFacts => {
  const entries = Object.entries(values).map(([name, value]) => [annotations[name as 'stop'], value]);
  const { metadata } = facts.network;
  const all = { ...metadata.annotations, ...Object.fromEntries(entries) };
  return { ...facts, network: { ...facts.network, metadata: { ...metadata, annotations: all } } };
};

/** The facts after the decision's status was written and its pods have ended. */
const ended = (facts: NetworkFacts): NetworkFacts => ({
  ...withStatus(facts, decide(facts).status),
  pods: [],
});

const kindsOf = (facts: NetworkFacts) => decide(facts).children?.map(({ kind }) => kind);

describe('a stop annotation', () => {
  it('stops a running network at once, and its data ends', () => {
    const asked = annotated(running(), { stop: 'now' });
    const stopping = decide(asked);
    expect(stopping).toMatchObject({
      children: [],
      status: {
        state: 'Stopping',
        observedStop: 'now',
        message: 'stopping on request; its data is deleted. Any request or spec change wakes it',
        conditions: [{ type: 'Ready', status: 'False', reason: 'StopRequested' }],
      },
    });
    const stopped = decide(ended(asked));
    expect(stopped.status).toMatchObject({ state: 'Stopped', lastStoppedAt: at(nowMs) });
    expect(stopped.status.message).toMatch(/^stopped on request; /);
  });

  it('works in any state, whatever the stop limit says', () => {
    const pending = annotated(factsOf(aNetwork(), { isStopAllowed: false }), { stop: 'now' });
    expect(decide(pending).status.state).toBe('Stopping');
  });

  it('is acted on once: a network that was woken since runs on', () => {
    const stopped = ended(annotated(running(), { stop: 'now' }));
    const woken = annotated(stopped, { wake: 'later' });
    const status = decide(woken).status;
    expect(status.state).toBe('Pending');
    const again = { ...withStatus(woken, status), pods: [aPod(woken.network, readyStatus)] };
    expect(decide(again).status.state).toBe('Operational');
  });

  it('that came together with a wake annotation stops first, and then wakes', () => {
    const both = annotated(running(), { stop: 'now', wake: 'now' });
    expect(decide(both).status.state).toBe('Stopping');
    expect(decide(ended(both)).status.state).toBe('Pending');
  });

  it('on a network that is stopped already only takes back what would wake it', () => {
    const stopped = ended(annotated(running(), { stop: 'now' }));
    const changed = annotated(stopped, { stop: 'again' });
    changed.network.metadata.generation = 2;
    expect(decide(changed).status).toMatchObject({ state: 'Stopped', observedStop: 'again' });
  });
});

describe('a network that is woken before the operator has carried out its stop', () => {
  /** The status of the stop was written, and the operator ended before it deleted anything. */
  const interrupted = (facts: NetworkFacts): NetworkFacts => withStatus(facts, decide(facts).status);
  const terminating = (facts: NetworkFacts): NetworkFacts => ({
    ...facts,
    pods: facts.pods.map((pod) => ({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: at(nowMs) } })),
  });

  it.each<[string, NetworkFacts]>([
    ['by hand', annotated(running(), { stop: 'now' })],
    ['when idle', withStatus(running(), { lastWakeUpAt: at(nowMs - 25 * 3_600_000) })],
  ])('and that was stopped %s stops first, because its chain is said to have ended', (_case, facts) => {
    const woken = annotated(interrupted(facts), { wake: 'now' });
    expect(woken.network.status?.previousChain?.enclaveID).toBe(woken.network.status?.enclaveID);
    const { children, status } = decide(woken);
    expect({ children, state: status.state, wake: status.observedWake }).toEqual({
      children: [],
      state: 'Stopping',
      wake: undefined,
    });
    const next = decide(terminating(withStatus(woken, status))).status;
    expect(next).toMatchObject({ state: 'Pending', observedWake: 'now' });
  });

  it('stops first as well if a change of its spec wakes it', () => {
    const stopping = interrupted(annotated(running(), { stop: 'now' }));
    stopping.network.metadata.generation = 2;
    const first = decide(stopping).status;
    expect(first).toMatchObject({ state: 'Stopping', observedGeneration: 1 });
    const next = decide(terminating(withStatus(stopping, first))).status;
    expect(next).toMatchObject({ state: 'Pending', observedGeneration: 2 });
  });

  it('goes on at once if the stop keeps its data', () => {
    const stopping = interrupted(annotated(onVolume(), { stop: 'now' }));
    const { status } = decide(annotated(stopping, { wake: 'now' }));
    expect(status).toMatchObject({ observedWake: 'now' });
    expect(status.state).not.toBe('Stopping');
  });
});

describe('a persistent network that is stopped by hand', () => {
  it('keeps its volume, says so, and stays stopped', () => {
    const asked = annotated(onVolume(), { stop: 'now' });
    expect(kindsOf(asked)).toEqual(['PersistentVolumeClaim']);
    const stopped = ended(asked);
    expect(kindsOf(stopped)).toEqual(['PersistentVolumeClaim']);
    expect(decide(stopped).status).toMatchObject({
      state: 'Stopped',
      message: 'stopped on request; its data is kept on its volume. Any request or spec change wakes it',
    });
    expect(decide(stopped).status.previousChain).toBeUndefined();
  });

  it('says that its chain ends with the next start, if a ResetState was requested with the stop', () => {
    const stopped = ended(annotated(onVolume(), { stop: 'now' }));
    const { network } = stopped;
    const maintenanceRequest = { action: 'ResetState', nonce: 3 } as const;
    const asked = { ...stopped, network: { ...network, spec: { ...network.spec, maintenanceRequest } } };
    expect(decide(asked).status.message).toBe(
      'stopped on request; its chain ends when it wakes, because a new one was requested. Any request or spec change wakes it',
    );
  });

  it('does not say that the data is kept of a chain that a ResetState has ended', () => {
    const facts = onVolume();
    const { enclaveID = 'one' } = facts.network.status ?? {};
    const previousChain = { enclaveID, endedAt: at(nowMs), reason: 'ResetState was requested' };
    const stopped = ended(annotated(withStatus(facts, { enclaveID, previousChain }), { stop: 'now' }));
    expect(kindsOf(stopped)).toEqual(['PersistentVolumeClaim']);
    expect(decide(stopped).status.message).toMatch(/its data is deleted/);
  });

  it('keeps a volume whose labels somebody removed', () => {
    const facts = onVolume();
    const volumeClaims = facts.volumeClaims?.map((claim) => ({
      ...claim,
      metadata: { ...claim.metadata, labels: {} },
    }));
    const stopped = ended(annotated({ ...facts, ...compact({ volumeClaims }) }, { stop: 'now' }));
    expect(kindsOf(stopped)).toEqual(['PersistentVolumeClaim']);
  });

  it('keeps the files of its chain as well, because its data fits no other genesis', () => {
    const facts = onVolume();
    const files = (decide(facts).children ?? []).filter(({ kind }) => kind === 'ConfigMap');
    const [file] = files.map((one) => asStored(one as ConfigMap));
    if (!file) throw new Error('no files');
    const { metadata } = file;
    const ofPlugin = { ...metadata, labels: { ...metadata.labels, [labels.plugin]: 'graph' } };
    const others = [{ ...metadata, name: 'net-rpc-files-former' }, ofPlugin].map((one) => ({
      ...file,
      metadata: one,
    }));
    const asked = annotated({ ...facts, files: [file, ...others] }, { stop: 'now' });
    const kept = decide(ended(asked)).children ?? [];
    expect(kept.slice(1)).toEqual([file]);
    expect(kindsOf({ ...asked, volumeClaims: [] })).toEqual([]);
  });

  it('runs on the same volume when it wakes', () => {
    const facts = onVolume();
    const woken = decide(annotated(ended(annotated(facts, { stop: 'now' })), { wake: 'now' }));
    expect(woken.status.state).toBe('Pending');
    const namesOf = (children: ReturnType<typeof decide>['children']) =>
      children?.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(namesOf(woken.children)).toEqual(namesOf(decide(facts).children));
  });

  it('loses data that is still in its pod, and says so', () => {
    const asked = annotated(
      { ...onVolume(), ...withStatus(onVolume(), { storage: 'Pod' }) },
      { stop: 'now' },
    );
    expect(decide(asked)).toMatchObject({
      children: [],
      status: { message: expect.stringContaining('its data is deleted') },
    });
  });
});
