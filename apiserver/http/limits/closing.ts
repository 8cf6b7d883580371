/**
 * The connection that an answer goes to (a response, or the socket of an upgrade). It emits `close` when it ends.
 * An AbortSignal would do the same at several times the cost per call.
 */
export interface Closing {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}
