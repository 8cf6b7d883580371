/** A call of a user to a JSON-RPC service, with how it ended. */
export interface ObservedCall {
  /** What the URL calls the service, such as `rpc` or `el-2`. */
  service: string;
  transport: 'http' | 'webSocket';
  /** The name of the key in the URL, never the key itself. */
  key: string;
  /** Undefined: it was not a valid call. */
  method: string | undefined;
  /** Its parameters as JSON text: cut, and without secrets. Undefined: none, or none that may be kept. */
  params: string | undefined;
  /** From when the gateway had read it until its answer was complete. */
  durationMs: number;
  /** Undefined: it succeeded, or expected no answer. */
  error: CallError | undefined;
}

export interface CallError {
  /** Of JSON-RPC; undefined if there was no such answer. */
  code: number | undefined;
  message: string;
}

/** What takes the calls of a network. It must not throw. */
export type TakeCall = (call: ObservedCall) => void;

/** Asked once for each message of a user: undefined while nobody wants to know the calls of the network. */
export type ObserveCalls = (networkUid: string) => TakeCall | undefined;
