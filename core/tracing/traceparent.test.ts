import { formatTraceparent, parseTraceparent } from './traceparent.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

it.each<[string, string, boolean]>([
  ['sampled', `00-${traceId}-${spanId}-01`, true],
  ['not sampled', `00-${traceId}-${spanId}-00`, false],
  ['with flags that are not known', `00-${traceId}-${spanId}-fe`, false],
  ['of a later version, with more in it', `01-${traceId}-${spanId}-01-what-comes`, true],
])('a traceparent %s is read', (_what, text, isSampled) => {
  expect(parseTraceparent(text)).toEqual({ traceId, spanId, isSampled });
});

it.each<[string, string | undefined]>([
  ['absent', undefined],
  ['empty', ''],
  ['of version ff', `ff-${traceId}-${spanId}-01`],
  ['in upper case', `00-${traceId.toUpperCase()}-${spanId}-01`],
  ['with no trace', `00-${'0'.repeat(32)}-${spanId}-01`],
  ['with no span', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['of version 00, with more in it', `00-${traceId}-${spanId}-01-more`],
  ['with a line break', `00-${traceId}-${spanId}-01\n`],
  ['too short', `00-${traceId}-${spanId}`],
  ['very long', `01-${traceId}-${spanId}-01-${'x'.repeat(10_000)}`],
])('a traceparent that is %s counts as none', (_what, text) => {
  expect(parseTraceparent(text)).toBeUndefined();
});

it('is written as it is read', () => {
  const text = `00-${traceId}-${spanId}-01`;
  expect(formatTraceparent({ traceId, spanId, isSampled: true })).toBe(text);
});
