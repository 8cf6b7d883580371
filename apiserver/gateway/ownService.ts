/** A request to a service that the API server answers by itself, as the gateway has received it. */
export interface OwnRequest {
  networkUid: string;
  /** The network's node. */
  upstream: { host: string; port: number };
  /** The address of the caller. */
  source: string;
  method: string;
  /** What follows the service in the URL. */
  rest: string;
  body: Buffer;
  requestId: string;
  /** Charges what is made of the body to its memory. Throws Unavailable. */
  take(bytes: number): void;
  /** The memory of the body stays taken until the function that it returns is called. */
  keepBody(): () => void;
}

/** Rejects only with what is not an AppError. */
export type AnswerOwn = (request: OwnRequest) => Promise<{ status: number; body: object }>;
