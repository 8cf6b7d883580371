import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { AppError } from '../lib/errors.ts';
import { createManualClock } from '../lib/manualClock.ts';
import { activeSpan, childSpan, currentTrace } from './spans.ts';
import { startTraced, type Traced } from './testing/traced.ts';
import { noTracer, type RootStart } from './tracing.ts';

const root: RootStart = {
  name: 'request',
  kind: 'server',
  attributes: { 'http.request.method': 'GET', 'http.route': '/v1alpha/networks' },
};
const child = { name: 'hold', kind: 'internal' } as const;
const caller = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled: true };

let traced: Traced;
beforeEach(async () => {
  traced = await startTraced();
});
afterEach(() => traced.stop());

it('spans reach the collector with their parents, their service and what may be said of them', async () => {
  await traced.tracer.run(root, async (span) => {
    const attributes = { 'slipway.kube.verb': 'list', 'slipway.kube.kind': 'Network' };
    await childSpan({ name: 'kube', kind: 'client', attributes }, async (inner) => {
      inner.set({ 'http.response.status_code': 200 });
    });
    span.set({ 'slipway.workspace': 'w1' });
  });
  await traced.close();
  const [inner, parent] = traced.collector.spans();
  expect(parent).toMatchObject({
    service: 'test',
    name: 'GET /v1alpha/networks',
    kind: 2,
    parentSpanId: undefined,
    attributes: { ...root.attributes, 'slipway.workspace': 'w1' },
  });
  expect(inner).toMatchObject({
    name: 'kube list Network',
    kind: 3,
    parentSpanId: parent?.spanId,
    traceId: parent?.traceId,
    attributes: { 'http.response.status_code': 200 },
  });
  expect(traced.collector.requests()[0]?.path).toBe('/v1/traces');
  expect(await traced.counts()).toEqual({ exported: 2 });
});

it('the trace of a caller is continued', async () => {
  const parent = traced.tracer.callerOf({ traceparent: `00-${caller.traceId}-${caller.spanId}-01` });
  await traced.tracer.run({ ...root, parent }, async () => undefined);
  await traced.close();
  expect(traced.collector.spans()).toMatchObject([
    { traceId: caller.traceId, parentSpanId: caller.spanId, name: 'GET /v1alpha/networks' },
  ]);
});

it('a caller whose trace is not recorded is not recorded here, and its ids are in the log all the same', async () => {
  const parent = { ...caller, isSampled: false };
  const lines = await traced.tracer.run({ ...root, parent }, async () => currentTrace());
  await traced.close();
  expect(lines).toMatchObject({ trace_id: caller.traceId, trace_flags: '00' });
  expect(traced.collector.spans()).toEqual([]);
});

it('callers decide nothing where they are not trusted', async () => {
  const own = await startTraced({ settings: { trustCallers: false }, collector: traced.collector });
  expect(own.tracer.callerOf({ traceparent: `00-${caller.traceId}-${caller.spanId}-01` })).toBeUndefined();
  await own.close();
});

it('of new traces, only the sampled part is recorded', async () => {
  const none = await startTraced({ settings: { sampling: 0 }, collector: traced.collector });
  await none.tracer.run(root, async () => childSpan(child, async () => {}));
  await none.tracer.run({ ...root, parent: caller }, async () => undefined);
  await none.close();
  expect(traced.collector.spans().map(({ traceId }) => traceId)).toEqual([caller.traceId]);
});

it('work that throws is marked with the reason, without the message', async () => {
  const failing = traced.tracer.run(root, () =>
    childSpan(child, async () => {
      throw new AppError('Unavailable', 'http://node/rpc/secret-key did not answer');
    }),
  );
  await expect(failing).rejects.toThrow('did not answer');
  await traced.close();
  expect(traced.collector.spans()).toMatchObject([
    { isError: true, attributes: { 'error.type': 'Unavailable' } },
    { isError: true },
  ]);
  expect(traced.collector.requests()[0]?.text).not.toContain('secret-key');
});

it('what a request left running is not part of it once it is answered', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let later: Promise<unknown> = Promise.resolve();
  await traced.tracer.run(root, async () => {
    later = promise.then(async () => {
      await childSpan(child, async () => undefined);
      return activeSpan() ?? currentTrace();
    });
  });
  resolve();
  expect(await later).toBeUndefined();
  await traced.close();
  expect(traced.collector.spans()).toMatchObject([{ name: 'GET /v1alpha/networks' }]);
});

it('the collector gets the headers of its Secret', async () => {
  const own = await startTraced({
    headers: 'Authorization: Basic a:b\n\nX-Team: ours\n',
    collector: traced.collector,
  });
  await own.tracer.run(root, async () => undefined);
  await own.close();
  expect(traced.collector.requests()[0]?.headers).toMatchObject({
    authorization: 'Basic a:b',
    'x-team': 'ours',
  });
});

it('spans that a collector refuses are counted, and nothing else happens', async () => {
  traced.collector.behave(400);
  await traced.tracer.run(root, async () => undefined);
  await traced.close();
  expect(await traced.counts()).toEqual({ failed: 1 });
});

it('a collector that does not answer holds up neither the work nor the end of the process', async () => {
  const clock = createManualClock();
  const own = await startTraced({ clock, collector: traced.collector });
  traced.collector.behave('silent');
  for (let count = 0; count < 3000; count += 1) await own.tracer.run(root, async () => undefined);
  const closing = own.close();
  clock.advance(3000);
  await closing;
  // One batch was on its way; the others did not find room, or were left at the end.
  expect(await own.counts()).toEqual({ dropped: 3000 - 512 });
  traced.collector.behave(200);
  // The exporter repeats what was cut.
  await traced.collector.waitFor(() => true);
});

it('a process without traces does not load the SDK of OpenTelemetry', () => {
  const file = JSON.stringify(join(import.meta.dirname, 'tracing.ts'));
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    const { startTracing, noTracer } = await import(${file});
    const { tracer } = await startTracing({ settings: { endpoint: '' } });
    console.log(JSON.stringify({ isOff: tracer === noTracer, loaded }));
  `;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program]).toString();
  const { isOff, loaded }: { isOff: boolean; loaded: string[] } = JSON.parse(output);
  expect(isOff).toBe(true);
  expect(loaded.filter((url) => url.includes('core/tracing/'))).not.toEqual([]);
  // The client of Prometheus needs the interface.
  expect(loaded.filter((url) => /@opentelemetry\/(?!api\/)|tracing\/sdk/.test(url))).toEqual([]);
});

it('without traces work only runs', async () => {
  expect(await noTracer.run(root, async () => currentTrace() ?? 'ran')).toBe('ran');
});
