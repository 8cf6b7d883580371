import type { IncomingHttpHeaders } from 'node:http';
import type { Writable } from 'node:stream';
import type { Closing } from '../../http/limits/closing.ts';
import type { AnswerTaker } from '../nodes/connection.ts';
import type { NodeClient, Sending } from '../nodes/nodeClient.ts';
import type { NodeRequest } from '../nodes/requestText.ts';

/** Receives the node's answer as a stream. */
export interface Receiver {
  /** The node goes on when the caller has gone: the call lasts until the answer begins, so that its room is not free before. */
  goesOn?: boolean;
  /** Receives the head of the answer and returns where the body goes. Throwing rejects the answer. */
  start(status: number, headers: IncomingHttpHeaders): Writable;
  /** Called once if the caller takes the answer more slowly than the node sends it. Throwing rejects the rest. */
  fallBehind(): void;
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

export type Forward = (request: NodeRequest, receiver: Receiver, caller: Closing) => Promise<ForwardResult>;

/** Up to this length, an answer that came whole is written as one text with its head, which costs less. */
const maxTextBytes = 16 * 1024;

/** Sends one request and streams its answer with back-pressure. Both end if the caller disconnects. Never rejects. */
export function createForward(nodes: Pick<NodeClient, 'send'>): Forward {
  return (request, receiver, caller) =>
    new Promise((resolve) => {
      if (caller.destroyed) {
        return resolve({ isOk: false, error: disconnected(), wasSent: false, hasBegun: false });
      }
      const call: Call = { receiver, wasSent: false, isBehind: false, isLeft: false };
      const abort = () => {
        call.isLeft = receiver.goesOn === true && call.wasSent && !call.target;
        if (!call.isLeft) call.sending?.abort(disconnected());
      };
      caller.once('close', abort);
      call.sending = nodes.send(
        request,
        takerOf(call, (result) => {
          caller.off('close', abort);
          resolve(result);
        }),
      );
    });
}

interface Call {
  receiver: Receiver;
  wasSent: boolean;
  isBehind: boolean;
  /** Its caller has gone, and the node works on it. */
  isLeft: boolean;
  target?: Writable;
  sending?: Sending | undefined;
}

function takerOf(call: Call, finish: (result: ForwardResult) => void): AnswerTaker {
  const resume = () => call.sending?.resume();
  return {
    sent() {
      call.wasSent = true;
    },
    head(status, headers) {
      if (call.isLeft) throw disconnected();
      call.target = call.receiver.start(status, headers);
    },
    data(part) {
      if (call.target?.write(part) !== false) return true;
      call.target?.once('drain', resume);
      if (!call.isBehind) call.receiver.fallBehind();
      call.isBehind = true;
      return false;
    },
    end(last) {
      const { target } = call;
      call.sending = undefined;
      if (!last) target?.end();
      else if (last.length > maxTextBytes) target?.end(last);
      else target?.end(last.toString('latin1'), 'latin1');
      finish({ isOk: true });
    },
    failed(error) {
      call.sending = undefined;
      finish({ isOk: false, error, wasSent: call.wasSent, hasBegun: call.target !== undefined });
    },
  };
}

function disconnected(): Error {
  return new Error('the caller disconnected');
}
