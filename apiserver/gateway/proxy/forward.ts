import type { IncomingHttpHeaders } from 'node:http';
import type { Writable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { authorityOf } from '../../../core/lib/authority.ts';
import type { Caller } from '../caller.ts';
import type { GatewayLimits, Upstream } from '../deps.ts';

export interface ForwardRequest {
  upstream: Upstream;
  method: Dispatcher.HttpMethod;
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

/** Receives the node's answer as a stream. */
export interface Receiver {
  /** Receives the head of the answer and returns where the body goes. Throwing rejects the answer. */
  start(status: number, headers: IncomingHttpHeaders): Writable;
}

/** How a call ended. A failed call got no answer, or an incomplete one if `hasBegun`. */
export type ForwardResult =
  | { isOk: true }
  | {
      isOk: false;
      error: Error;
      /** Whether the node may have seen the request. */
      wasSent: boolean;
      /** Whether the caller has received a part of the answer. */
      hasBegun: boolean;
    };

export type Forward = (request: ForwardRequest, receiver: Receiver, caller: Caller) => Promise<ForwardResult>;

/** Keep-alive connections to all nodes. Redirects are never followed, and nothing is retried or decoded. */
export function createNodeAgent(limits: GatewayLimits): Agent {
  return new Agent({
    connections: 256,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: limits.connectMs },
    headersTimeout: limits.idleMs,
    bodyTimeout: limits.idleMs,
  });
}

/** Sends one request and streams its answer with back-pressure. Both end if the caller disconnects. Never rejects. */
export function createForward(agent: Dispatcher): Forward {
  return (request, receiver, caller) =>
    new Promise((resolve) => {
      const { upstream, method, path, headers, body } = request;
      const options = { origin: `http://${authorityOf(upstream)}`, method, path, headers };
      agent.dispatch({ ...options, body: body ?? null }, handlerOf(receiver, caller, resolve));
    });
}

function handlerOf(
  receiver: Receiver,
  caller: Caller,
  resolve: (result: ForwardResult) => void,
): Dispatcher.DispatchHandler {
  let wasSent = false;
  let target: Writable | undefined;
  let abort: (() => void) | undefined;
  const finish = (result: ForwardResult) => {
    if (abort) caller.off('close', abort);
    resolve(result);
  };
  return {
    onRequestStart(controller) {
      wasSent = true;
      const cut = () => controller.abort(new Error('the caller disconnected'));
      abort = cut;
      if (caller.destroyed) return cut();
      caller.once('close', cut);
    },
    onResponseStart(controller, status, headers) {
      if (status < 200) return;
      target = receiver.start(status, headers);
      target.on('drain', () => controller.resume());
    },
    onResponseData(controller, chunk) {
      if (target?.write(chunk) === false) controller.pause();
    },
    onResponseEnd() {
      target?.end();
      finish({ isOk: true });
    },
    onResponseError(_controller, error) {
      finish({ isOk: false, error, wasSent, hasBegun: target !== undefined });
    },
  };
}
