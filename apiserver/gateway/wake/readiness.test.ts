import { EventEmitter } from 'node:events';
import type { Clock } from '../../../core/lib/clock.ts';
import { createMetrics } from '../../../core/lib/metrics.ts';
import { defaultLimits, type RpcNetwork, type Upstream } from '../deps.ts';
import { createGatewayMetrics, gatewayMetricTable } from '../metrics.ts';
import { firstEpochs } from '../testing/fixtures.ts';
import { createReadiness } from './readiness.ts';

const ports = ['rpc'];
type Listener = (uid: string, id: string) => void;
const upstream: Upstream = { host: '10.0.0.1', port: 8545 };

function setUp(limits = {}) {
  let network: RpcNetwork | undefined;
  let found: Upstream | undefined;
  const listeners = { networks: new Set<Listener>(), upstreams: new Set<Listener>() };
  const timers = new Map<() => void, number>();
  const woken: string[] = [];
  const onChange = (kind: keyof typeof listeners) => (listener: Listener) => {
    listeners[kind].add(listener);
    return () => void listeners[kind].delete(listener);
  };
  const emit = (kind: keyof typeof listeners) => {
    for (const listener of listeners[kind]) listener('u', 'id');
  };
  const clock: Clock = {
    nowMs: () => 0,
    steadyMs: () => 0,
    sleep: () => Promise.resolve(),
    after(delayMs, callback) {
      timers.set(callback, delayMs);
      return () => void timers.delete(callback);
    },
  };
  const deps = {
    networks: {
      find: (uid: string) => (uid === 'u' ? network : undefined),
      at: (id: string) => (id === 'id' && network ? [network] : []),
      onChange: onChange('networks'),
    },
    upstreams: { find: () => found, onChange: onChange('upstreams') },
    wake: (uid: string) => void woken.push(uid),
    settings: { holdSeconds: 20, maxBodyBytes: 1 },
    clock,
  };
  const metrics = createGatewayMetrics(createMetrics([gatewayMetricTable]));
  const readiness = createReadiness(deps, { ...defaultLimits, ...limits }, metrics);
  const caller = Object.assign(new EventEmitter(), { destroyed: false });
  return {
    readiness,
    woken,
    timers,
    caller,
    wait: () => readiness.wait('u', ports, caller),
    setNetwork(change: Partial<RpcNetwork> | undefined) {
      const base = {
        uid: 'u',
        id: 'id',
        keyScopes: [{ id: 'id', namespace: 's' }] satisfies RpcNetwork['keyScopes'],
        name: 'n',
        namespace: 's',
        type: 'Ethereum',
        accessEpochs: firstEpochs,
      } as const;
      network = change && { ...base, state: undefined, isDeleting: false, ...change };
      emit('networks');
    },
    setUpstream(next: Upstream | undefined) {
      found = next;
      emit('upstreams');
    },
    expire() {
      for (const callback of [...timers.keys()]) callback();
    },
  };
}

const errorOf = (reason: string, message: RegExp) => ({
  error: expect.objectContaining({ reason, message: expect.stringMatching(message) }),
});

it('answers immediately for an Operational network with an address', () => {
  const { readiness, setNetwork, setUpstream } = setUp();
  setNetwork({ state: 'Operational' });
  expect(readiness.now('u', ports)).toBeUndefined();
  setUpstream(upstream);
  expect(readiness.now('u', ports)).toEqual({ upstream });
});

const immediate: [string, Partial<RpcNetwork>, ReturnType<typeof errorOf>][] = [
  ['a network is being deleted', { state: 'Operational', isDeleting: true }, errorOf('NotFound', /endpoint/)],
  [
    'a network is in state Error, whose reason is reported',
    { state: 'Error', message: 'the image cannot be pulled' },
    errorOf('Unavailable', /the image cannot be pulled/),
  ],
];
it.each(immediate)('does not hold when %s', (_reason, network, verdict) => {
  const { readiness, setNetwork, setUpstream } = setUp();
  setUpstream(upstream);
  setNetwork(network);
  expect(readiness.now('u', ports)).toEqual(verdict);
});

it('does not hold for the service of a plugin that failed, but for all others', () => {
  const { readiness, setNetwork } = setUp();
  const failedServices = { vrf: 'the plugin vrf is in state Error: no image' };
  setNetwork({ state: 'Operational', failedServices });
  expect(readiness.now('u', ['vrf'])).toEqual(errorOf('Unavailable', /no image/));
  expect(readiness.now('u', ports)).toBeUndefined();
  setNetwork({ state: 'Stopped', failedServices });
  expect(readiness.now('u', ['vrf'])).toBeUndefined();
});

it('wakes a stopped network and holds until it can be called', async () => {
  const { wait, woken, timers, setNetwork, setUpstream } = setUp();
  setNetwork({ state: 'Stopped' });
  const held = wait();
  expect(woken).toEqual(['u']);
  expect([...timers.values()]).toEqual([20_000]);
  setNetwork({ state: 'Pending' });
  setNetwork({ state: 'Operational' });
  setUpstream(upstream);
  expect(await held).toEqual({ upstream });
  expect(timers.size).toBe(0);
});

it('wakes a network that stops while a call is held', async () => {
  const { wait, woken, setNetwork, setUpstream } = setUp();
  setNetwork({ state: 'Stopping' });
  const held = wait();
  expect(woken).toEqual([]);
  setNetwork({ state: 'Stopped' });
  expect(woken).toEqual(['u']);
  setUpstream(upstream);
  setNetwork({ state: 'Operational' });
  expect(await held).toEqual({ upstream });
});

it('gives up after the time limit', async () => {
  const { wait, expire, setNetwork } = setUp();
  setNetwork({ state: 'Pending' });
  const held = wait();
  expire();
  expect(await held).toEqual(errorOf('Unavailable', /starting; retry/));
});

it('stops holding if the network fails or is deleted', async () => {
  const { wait, setNetwork } = setUp();
  setNetwork({ state: 'Pending' });
  const failing = wait();
  setNetwork({ state: 'Error', message: 'no' });
  expect(await failing).toEqual(errorOf('Unavailable', /no/));
  setNetwork({ state: 'Pending' });
  const going = wait();
  setNetwork(undefined);
  expect(await going).toEqual(errorOf('NotFound', /endpoint/));
});

it('stops holding if the caller disconnects', async () => {
  const { wait, caller, timers, setNetwork } = setUp();
  setNetwork({ state: 'Pending' });
  const held = wait();
  caller.emit('close');
  expect(await held).toBeUndefined();
  expect(timers.size).toBe(0);
  expect(caller.listenerCount('close')).toBe(0);
});

it('waits briefly for a network that this replica does not know yet, then the usual time', async () => {
  const { wait, timers, setNetwork, setUpstream } = setUp();
  const held = wait();
  expect([...timers.values()]).toEqual([2000]);
  setNetwork({ state: 'Pending' });
  expect([...timers.values()]).toEqual([20_000]);
  setUpstream(upstream);
  setNetwork({ state: 'Operational' });
  expect(await held).toEqual({ upstream });
});

it('does not wait for a network that never appears or that it saw being deleted', async () => {
  const { readiness, wait, expire, setNetwork } = setUp();
  const held = wait();
  expire();
  expect(await held).toEqual(errorOf('NotFound', /endpoint/));
  setNetwork({ state: 'Pending' });
  setNetwork(undefined);
  expect(readiness.now('u', ports)).toEqual(errorOf('NotFound', /endpoint/));
});

const limits: [string, object][] = [
  ['per network', { heldPerNetwork: 2 }],
  ['of what a workspace may have of all', { held: 8 }],
];
it.each(limits)('holds no more requests than the limit %s', async (_reason, limit) => {
  const { wait, setNetwork, setUpstream } = setUp(limit);
  setNetwork({ state: 'Pending' });
  const held = [wait(), wait()];
  expect(await wait()).toEqual(errorOf('Unavailable', /retry/));
  setUpstream(upstream);
  setNetwork({ state: 'Operational' });
  expect(await Promise.all(held)).toEqual([{ upstream }, { upstream }]);
});

it('does not wait for news of a network for more callers than the limit', async () => {
  const { readiness, expire } = setUp({ heldPerNetwork: 2 });
  const waiting = [readiness.nextChange('u', 2000), readiness.nextChange('u', 2000)];
  expect(await readiness.nextChange('u', 2000)).toMatchObject({ reason: 'Unavailable' });
  expire();
  expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
});

it('tells who waits for the id of a network that it has come, and who asks later that it has gone', async () => {
  const { readiness, timers, setNetwork } = setUp();
  const waiting = readiness.nextChange('id', 2000);
  expect(readiness.now('id', [])).toBeUndefined();
  setNetwork({ state: 'Pending' });
  expect(await waiting).toBeUndefined();
  expect(timers.size).toBe(0);
  setNetwork(undefined);
  expect(readiness.now('id', [])).toEqual(errorOf('NotFound', /endpoint/));
  setNetwork({ state: 'Pending' });
  expect(readiness.now('id', [])).toBeUndefined();
});

it('releases everything when it closes', async () => {
  const { readiness, wait, setNetwork, timers } = setUp();
  setNetwork({ state: 'Pending' });
  const held = wait();
  readiness.close();
  expect(await held).toEqual(errorOf('Unavailable', /retry/));
  expect(timers.size).toBe(0);
});
