const hourMs = 3_600_000;

/** The end of a time that begins now, to the second; undefined for no hours: it does not end. */
export function endAfter(hours: number, nowMs: number): string | undefined {
  if (hours === 0) return undefined;
  return new Date(nowMs + hours * hourMs).toISOString().replace(/\.\d+Z$/, 'Z');
}
