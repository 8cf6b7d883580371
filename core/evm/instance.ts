import { z } from 'zod';
import { AppError } from '../lib/errors.ts';
import { resultIn } from './answers.ts';
import type { EvmRpc, RpcCall, RpcOutcome } from './rpc.ts';

/**
 * Which process answers: an id that it has of its own, or the uid of its pod. Only a process that has an id cannot be
 * mistaken for the one that ran before it in the same pod. Undefined when neither is known.
 */
export type Instance = string | undefined;

/** A call that is asked in the same batch as what depends on the process. Only anvil knows it. */
export const instanceCall: RpcCall = { method: 'anvil_metadata', params: [] };

const metadataSchema = z.object({ instanceId: z.string().regex(/^0x[0-9a-f]{1,64}$/) });

/** The process that answered `instanceCall` on this connection. */
export function instanceOf({ pod }: Pick<EvmRpc, 'pod'>, answer: RpcOutcome | undefined): Instance {
  return metadataSchema.safeParse(resultIn(answer)).data?.instanceId ?? pod;
}

/** Reads it. Unavailable when the node does not answer. */
export async function readInstance(rpc: EvmRpc): Promise<Instance> {
  const [answer] = await rpc.batch([instanceCall]);
  if (answer && 'error' in answer && answer.error.reason === 'Unavailable') throw answer.error;
  return instanceOf(rpc, answer);
}

/** Whether a process that lives has all that it ever acknowledged, but for what was undone: it has an id of its own. */
export function isProcess(instance: Instance): instance is string {
  return instance?.startsWith('0x') === true;
}

/** The process that the operator has published for a network: `status.instance`. */
export interface Published {
  pod: string;
  process?: string | undefined;
}

/** Throws Unavailable unless the process that answers is the one that is known to run the network's chain. */
export function checkInstance(present: Instance, published: Published | undefined): void {
  if (!isPublished(present, published)) throw notPublished();
}

function notPublished(): AppError {
  const message = "the network's engine has just started, and is not known to run its chain yet; retry";
  return new AppError('Unavailable', message, { retryAfterSeconds: 1 });
}

/** Whether the process that answers is the one that is known to run the network's chain. */
export function isPublished(present: Instance, published: Published | undefined): boolean {
  if (!published) return false;
  if (isProcess(present)) return present === published.process;
  return published.process === undefined && (present === undefined || present === published.pod);
}

/** Asks in one batch who answers; every call fails as Unavailable when it is not the published process. */
export async function batchAs(
  rpc: EvmRpc,
  published: Published | undefined,
  ...[calls, options]: Parameters<EvmRpc['batch']>
): Promise<RpcOutcome[]> {
  const [who, ...outcomes] = await rpc.batch([instanceCall, ...calls], options);
  if (isPublished(instanceOf(rpc, who), published)) return outcomes;
  return calls.map(() => ({ error: notPublished() }));
}

/**
 * The same node, but only as the published process: each batch asks who answers, and when it is another one, every call fails as
 * Unavailable. Where processes have no ids, there is nothing to ask.
 */
export function boundTo(rpc: EvmRpc, published: Published | undefined): EvmRpc {
  if (published?.process === undefined) return rpc;
  const batch: EvmRpc['batch'] = (...batched) => batchAs(rpc, published, ...batched);
  return {
    ...rpc,
    batch,
    async call(method, params, options) {
      const [outcome] = await batch([{ method, params }], options);
      if (!outcome || 'error' in outcome) throw outcome?.error ?? notPublished();
      return outcome.result;
    },
  };
}
