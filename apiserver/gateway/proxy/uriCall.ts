import type { Admitted, GatewayCore } from '../core.ts';
import type { Exchange } from '../jsonrpc/jsonRpcCall.ts';
import type { CallOutcome } from '../metrics.ts';
import type { JsonRpcPolicy } from '../policy/policy.ts';
import { answerPlain } from './plainCall.ts';

/** Answers a call by GET of `/{method}?{params}`, once the node has room for its answer. */
export function answerUriCall(
  core: GatewayCore,
  admitted: Admitted & { policy: JsonRpcPolicy },
  exchange: Exchange,
): Promise<CallOutcome> {
  const { policy, rest } = admitted;
  const [path = ''] = rest.split('?');
  const answers = policy.answerWeight?.(path.slice(1), '') ?? 0;
  return answerPlain(core, admitted, { ...exchange, work: { computing: 0, answers } });
}
