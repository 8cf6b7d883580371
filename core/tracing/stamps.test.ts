import { annotations, apiVersion } from '../api/names.ts';
import { createManualClock } from '../lib/manualClock.ts';
import { stamped } from './stamps.ts';
import { startTraced, type Traced } from './testing/traced.ts';

const aNetwork = (metadata: object = {}) => ({
  apiVersion,
  kind: 'Network',
  metadata: { name: 'n1', namespace: 'w1', ...metadata },
});
const request = { name: 'request', kind: 'server' } as const;
const caller = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };

const clock = createManualClock();
let traced: Traced;
beforeAll(async () => {
  traced = await startTraced({ clock });
});
afterAll(() => traced.stop());

const write = <T extends ReturnType<typeof aNetwork>>(object: T, isSampled = true) =>
  traced.tracer.run({ ...request, parent: { ...caller, isSampled } }, async () => stamped(object));

it('an object that a traced request writes says so, for a while', async () => {
  const network = await write(aNetwork({ annotations: { 'slipway.dev/wake': '1' } }));
  expect(network.metadata).toMatchObject({ annotations: { 'slipway.dev/wake': '1' } });
  expect(traced.tracer.writerOf(network)).toMatchObject({ traceId: caller.traceId, isSampled: true });
  clock.advance(10 * 60_000);
  expect(traced.tracer.writerOf(network)).toBeDefined();
  clock.advance(1000);
  expect(traced.tracer.writerOf(network)).toBeUndefined();
});

it('without a traced request, an object is written as it is', () => {
  const network = aNetwork();
  expect(stamped(network)).toBe(network);
});

it('an object that nobody reconciles is written as it is', async () => {
  const session = { ...aNetwork(), kind: 'Session' };
  expect(await write(session)).toBe(session);
});

it('a request that is not recorded adds nothing, and removes what an earlier one wrote', async () => {
  const network = aNetwork();
  expect(await write(network, false)).toBe(network);
  const earlier = await write(network);
  expect((await write(earlier, false)).metadata).toEqual({ ...network.metadata, annotations: {} });
});

describe('whoever may change annotations puts nothing into a trace:', () => {
  const stampOf = async () => {
    const { metadata } = await write(aNetwork());
    return (metadata as { annotations?: Record<string, string> }).annotations?.[annotations.trace] ?? '';
  };
  const tracesOf = (object: ReturnType<typeof aNetwork>) => traced.tracer.writerOf(object);
  const withStamp = (stamp: string, metadata: object = {}) =>
    aNetwork({ ...metadata, annotations: { [annotations.trace]: stamp } });

  it('the stamp of another object counts for none', async () => {
    const stamp = await stampOf();
    expect(tracesOf(withStamp(stamp))).toBeDefined();
    expect(tracesOf(withStamp(stamp, { name: 'n2' }))).toBeUndefined();
    expect(tracesOf(withStamp(stamp, { namespace: 'w2' }))).toBeUndefined();
    expect(tracesOf({ ...withStamp(stamp), kind: 'Token' })).toBeUndefined();
  });

  it.each<[string, (stamp: string) => string]>([
    ['a traceparent alone', (stamp) => stamp.split(';')[0] ?? ''],
    ['another trace', (stamp) => stamp.replace('aaaa', 'cccc')],
    ['another time', (stamp) => stamp.replace(/;(\d+);/, (_, seconds) => `;${Number(seconds) + 1};`)],
    ['another signature', (stamp) => `${stamp.slice(0, -1)}${stamp.endsWith('A') ? 'B' : 'A'}`],
    ['more text', (stamp) => `${stamp}${'x'.repeat(100_000)}`],
    ['something else', () => 'yes'],
    ['nothing', () => ''],
  ])('%s counts for none', async (_what, change) => {
    expect(tracesOf(withStamp(change(await stampOf())))).toBeUndefined();
  });
});
