import { servicesOf } from '../policy/families.ts';
import { costlyTrace } from './costlyTraces.ts';

const call = [{ to: `0x${'1'.repeat(40)}` }, 'latest'];
const hash = `0x${'2'.repeat(64)}`;
const script = '{step: function(){}, fault: function(){}, result: function(){}}';
const textOf = (method: string, params: unknown[]) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

it.each<[string, string, unknown[]]>([
  ['the steps of a call', 'debug_traceCall', call],
  ['the steps of a call', 'debug_traceCall', [...call, {}]],
  ['the steps of a call', 'debug_traceCall', [...call, { tracer: null }]],
  ['a trace of a call', 'debug_traceCall', [...call, { tracer: 'callTracer' }]],
  ['steps', 'debug_traceCall', [...call, { tracerConfig: { tracer: 'noopTracer' } }]],
  ['steps', 'debug_traceCall', [{ tracer: 'noopTracer' }, 'latest']],
  [
    'a trace of a call',
    'debug_traceCall',
    [...call, { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }],
  ],
  ['a script', 'debug_traceCall', [...call, { tracer: script }]],
  ['a script', 'debug_traceTransaction', [hash, { tracer: script }]],
  ['a script', 'debug_traceBlockByNumber', ['0x1', { tracer: script }]],
  ['a script', 'debug_traceTransaction', [hash, { tracer: 'bogusTracer' }]],
  ['a script', 'debug_traceTransaction', [hash, { tracer: '' }]],
])('%s is for the admin URL: %s %j', (_what, method, params) => {
  const text = textOf(method, params);
  const light = servicesOf({ type: 'Ethereum', participants: 0 }).get('rpc');
  const real = servicesOf({ type: 'Ethereum', participants: 1 }).get('rpc');
  if (light?.kind !== 'jsonRpc' || real?.kind !== 'jsonRpc') throw new Error('rpc is not JSON-RPC');
  expect(light.methodAccess(method, text)).toBe('admin');
  expect(light.refusalReason?.(method, text)).toMatch(/name a tracer|memory of the engine/);
  expect(real.methodAccess(method, text)).toBe('public');
});

it.each([
  `{"tracer":"callTracer","tracer":"${script}"}`,
  `{"tracer":"callTracer","tr\\u0061cer":"${script}"}`,
  `{"tr\\u0061cer":"${script}"}`,
])('a script is found however it is written: %s', (options) => {
  const text = `{"jsonrpc":"2.0","id":1,"method":"debug_traceTransaction","params":["${hash}",${options}]}`;
  expect(costlyTrace('debug_traceTransaction', text)).toContain('JavaScript');
});

it.each<[string, unknown[]]>([
  ['debug_traceCall', [...call, { tracer: 'noopTracer' }]],
  ['debug_traceTransaction', [hash, { tracer: 'prestateTracer' }]],
  ['debug_traceTransaction', [hash]],
  ['eth_call', call],
])('everybody may ask %s %j', (method, params) => {
  expect(costlyTrace(method, textOf(method, params))).toBeUndefined();
});
