import { type EvmRpc, rpcOver, unreached, unusable } from '../../../core/evm/rpc.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { isAppError } from '../../../core/lib/errors.ts';
import type { Upstream, UpstreamLookup } from '../deps.ts';
import type { NodeClient } from './nodeClient.ts';
import { jsonHeaders } from './requestText.ts';

/** A network's node for the gateway's own calls. */
export interface OpenNode {
  rpc: EvmRpc;
  /** Sends JSON-RPC as it is, and resolves to the text of the answer. Rejects with Unavailable. */
  post(text: string): Promise<string>;
}

/** What bounds each call. */
interface Limits {
  timeoutMs: number;
  maxBytes: number;
  /** Told the length of each part of an answer; what it throws is how the call fails. */
  take(bytes: number): void;
}

/** The node of a network; undefined while it has none. */
export type OpenNodes = (networkUid: string, limits: Limits) => OpenNode | undefined;

interface Deps {
  clock: Clock;
  upstreams: Pick<UpstreamLookup, 'find'>;
  client: Pick<NodeClient, 'send'>;
}

/** Opens nodes over the connections that calls of users are forwarded on. */
export function createOpenNodes(deps: Deps): OpenNodes {
  return (uid, limits) => {
    const upstream = deps.upstreams.find(uid, 'rpc');
    if (!upstream) return undefined;
    const post = (text: string) => send({ ...deps, upstream, limits }, text);
    return { rpc: rpcOver(post), post };
  };
}

interface Target extends Deps {
  upstream: Upstream;
  limits: Limits;
}

function send({ clock, client, upstream, limits }: Target, text: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const parts: Buffer[] = [];
  let length = 0;
  let status = 0;
  const add = (part: Buffer) => {
    length += part.length;
    if (length > limits.maxBytes) throw unusable(`its answer is longer than ${limits.maxBytes} bytes`);
    limits.take(part.length);
    parts.push(part);
  };
  const fail = (error: unknown) => reject(isAppError(error) ? error : unreached(error));
  const request = { upstream, method: 'POST', path: '/', headers: jsonHeaders, body: Buffer.from(text) };
  const sending = client.send(request, {
    sent: () => undefined,
    head: (given) => {
      status = given;
    },
    data(part) {
      add(part);
      return true;
    },
    end(last) {
      try {
        if (last) add(last);
        if (status !== 200) throw unusable(`it answered with HTTP status ${status}`);
        resolve(Buffer.concat(parts).toString());
      } catch (error) {
        fail(error);
      }
    },
    failed: fail,
  });
  const late = unusable(`it did not answer within ${limits.timeoutMs / 1000} s`);
  const cancel = clock.after(limits.timeoutMs, () => sending.abort(late));
  return promise.finally(cancel);
}
