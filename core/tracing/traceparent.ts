/** Where in which trace something belongs: what one process tells another of a span. */
export interface TraceContext {
  /** 32 hex digits. */
  traceId: string;
  /** 16 hex digits. */
  spanId: string;
  isSampled: boolean;
}

/** W3C Trace Context, section 3.2: version, trace-id, parent-id and trace-flags; later versions may append more. */
const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const maxLength = 256;

/** The context in a `traceparent` header; undefined if it is absent or not valid. */
export function parseTraceparent(text: string | undefined): TraceContext | undefined {
  if (text === undefined || text.length > maxLength) return undefined;
  const [, version = '', traceId = '', spanId = '', flags = '', rest] = pattern.exec(text) ?? [];
  const isKnown = version === '00' ? rest === undefined : version !== '' && version !== 'ff';
  if (!isKnown || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function formatTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${flagsOf({ isSampled })}`;
}

/** The trace-flags: two hex digits, of which only `sampled` is used. */
export function flagsOf({ isSampled }: Pick<TraceContext, 'isSampled'>): string {
  return isSampled ? '01' : '00';
}
