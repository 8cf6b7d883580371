import { type Dispatcher, request } from 'undici';
import { AppError } from '../../../core/lib/errors.ts';
import { createGuardedAgent, type Resolve } from '../../../core/outbound/guardedAgent.ts';
import type { DeliverySettings } from '../api/settings.ts';
import { noPublicAddress } from '../core/target.ts';

interface Delivery {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface Answer {
  status: number;
  retryAfter?: string;
  /** The first bytes of its body. */
  text: string;
}

/** Sends a delivery to its receiver; rejects when there is no answer in time. */
export type Post = (delivery: Delivery) => Promise<Answer>;

/** Bytes of an answer that are read; the connection is closed on more. */
const maxAnswerBytes = 1024;
const defaultTimeoutMs = 15_000;

export interface DeliveryAgentOptions {
  deliveries: Pick<DeliverySettings, 'allowPrivateAddresses'>;
  resolve?: Resolve;
}

/** Connections to receivers. Each goes to an address that was checked; redirects are not followed. */
export function createDeliveryAgent({ deliveries, resolve }: DeliveryAgentOptions): Dispatcher {
  return createGuardedAgent({
    allowPrivateAddresses: deliveries.allowPrivateAddresses,
    resolve,
    refusal: () => new AppError('Forbidden', `the host ${noPublicAddress}`),
    hidesNames: !deliveries.allowPrivateAddresses,
    // Webhooks may share a receiver: one that is slow to answer some must not delay the others.
    agent: { pipelining: 1, headersTimeout: defaultTimeoutMs, bodyTimeout: defaultTimeoutMs },
  });
}

export function createPost(dispatcher: Dispatcher, timeoutMs = defaultTimeoutMs): Post {
  return async ({ url, headers, body }) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await request(url, { dispatcher, method: 'POST', headers, body, signal }).catch(
      (error: unknown) => {
        throw signal.aborted ? new AppError('Unavailable', `no answer within ${timeoutMs / 1000} s`) : error;
      },
    );
    const { statusCode: status, headers: given } = answer;
    const retryAfter = given['retry-after'];
    const text = await firstBytes(answer.body);
    return { status, ...(typeof retryAfter === 'string' ? { retryAfter } : {}), text };
  };
}

/** The status counts even if the body breaks off. */
async function firstBytes(body: Dispatcher.ResponseData['body']): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of body) {
      parts.push(part);
      length += part.length;
      if (length >= maxAnswerBytes) break;
    }
  } catch {
    // What came is kept.
  }
  body.destroy();
  body.on('error', () => undefined);
  return Buffer.concat(parts).subarray(0, maxAnswerBytes).toString('utf8');
}
