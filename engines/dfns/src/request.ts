import type { Dfns } from './dfns.ts';

/** A request of a user who has signed in, and signed the action if it changes something. */
export interface Request {
  dfns: Dfns;
  /** The ids in the path, in their order. */
  params: string[];
  query: URLSearchParams;
  /** Parsed JSON; undefined when there is none. */
  body: unknown;
  /** The page that the query asks for. */
  page: { limit: number; before: number };
}

/** Returns what is answered. */
export type Handler = (request: Request) => object | Promise<object>;
