import { isWork } from '../../http/limits/nodeWork.ts';
import type { Admitted, GatewayCore } from '../core.ts';
import { beginWork, type Exchange } from '../jsonrpc/jsonRpcCall.ts';
import type { CallOutcome } from '../metrics.ts';
import type { JsonRpcPolicy } from '../policy/policy.ts';
import { answerPlain } from './plainCall.ts';

/** Answers a call by GET of `/{method}?{params}`, once the node has room for its answer. */
export async function answerUriCall(
  core: GatewayCore,
  admitted: Admitted & { policy: JsonRpcPolicy },
  { request, response }: Exchange,
): Promise<CallOutcome> {
  const { policy, rest } = admitted;
  const [path = ''] = rest.split('?');
  const work = { computing: 0, answers: policy.answerWeight?.(path.slice(1), '') ?? 0 };
  const place = isWork(work) ? await beginWork(core, admitted, { work, response }) : undefined;
  place?.endInTime(core.limits.idleMs, () => response.destroy());
  try {
    return await answerPlain(core, admitted, { request, response });
  } finally {
    place?.end();
  }
}
