/**
 * The connection that an answer goes to (a response, or the socket of an upgrade): emits `close` when it is over.
 * An AbortSignal would say the same, at several times the cost for each call.
 */
export interface Caller {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}
