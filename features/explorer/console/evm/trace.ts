import { listAt, quantityAt, textAt } from '../fields.ts';

/** A call inside a transaction. */
export interface TraceCall {
  /** The place in the tree: `0.2` is the third call of the first one. */
  path: string;
  depth: number;
  type: string;
  from: string;
  to: string | undefined;
  value: bigint;
  gasUsed: bigint;
  input: string;
  output: string | undefined;
  error: string | undefined;
  childCount: number;
}

const maxCalls = 2_000;

/** The calls of a trace by callTracer in the order in which they were made, at most 2,000. */
export function callsOf(trace: unknown): TraceCall[] {
  const calls: TraceCall[] = [];
  const visit = (value: unknown, path: string, depth: number) => {
    if (calls.length >= maxCalls) return;
    const children = listAt(value, 'calls');
    calls.push({
      path,
      depth,
      type: textAt(value, 'type') ?? 'CALL',
      childCount: children.length,
      from: textAt(value, 'from') ?? '',
      to: textAt(value, 'to'),
      value: quantityAt(value, 'value') ?? 0n,
      gasUsed: quantityAt(value, 'gasUsed') ?? 0n,
      input: textAt(value, 'input') ?? '0x',
      output: textAt(value, 'output'),
      error: textAt(value, 'error'),
    });
    for (const [index, child] of children.entries()) visit(child, `${path}.${index}`, depth + 1);
  };
  visit(trace, '0', 0);
  return calls;
}

/** The deepest call whose failure the failures around it come from. */
export function failedCall(calls: readonly TraceCall[]): TraceCall | undefined {
  let failed = calls[0]?.error === undefined ? undefined : calls[0];
  for (const call of calls) {
    if (failed && call.error !== undefined && call.path.startsWith(`${failed.path}.`)) failed = call;
  }
  return failed;
}
