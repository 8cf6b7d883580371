import type { ServerResponse } from 'node:http';
import { isAppError } from '../../../core/lib/errors.ts';
import type { Hold } from '../../http/limits/memoryBudget.ts';
import type { Admitted, GatewayCore } from '../core.ts';
import type { JsonRpcPolicy } from '../policy/policy.ts';
import type { Screening } from '../policy/screen.ts';
import { type CallRecord, createCallRecord } from './callRecord.ts';

type Deps = Pick<GatewayCore, 'deps'>;
type Caller = Admitted & { policy: JsonRpcPolicy };

/** Follows the calls of an HTTP request; undefined while nobody wants to know them. */
export function recordOfRequest(
  { deps }: Deps,
  { networkUid, service, key }: Caller,
  response: ServerResponse,
): CallRecord | undefined {
  const taker = deps.observeCalls?.(networkUid);
  if (!taker) return undefined;
  const about = { service, transport: 'http', key } as const;
  const record = createCallRecord({ clock: deps.clock, about, take: () => taker });
  response.once('close', () =>
    record.fail(response.writableFinished ? 'the node did not answer the call' : 'the caller disconnected'),
  );
  return record;
}

/** Follows a call by GET of `/{method}?{params}`, as CometBFT has it. */
export function recordOfUriCall(
  core: Deps,
  admitted: Admitted,
  response: ServerResponse,
): CallRecord | undefined {
  const { policy, rest } = admitted;
  const record = policy.kind === 'jsonRpc' && recordOfRequest(core, { ...admitted, policy }, response);
  if (!record) return undefined;
  const [path = '', params] = rest.split('?');
  const text = JSON.stringify({ params });
  record.note({ id: uriCallId, method: path.slice(1), text, isRewritten: false }, undefined);
  return record;
}

/** CometBFT answers such calls with this id. */
const uriCallId = '-1';

/** Follows the calls of a WebSocket connection while somebody wants to know them. */
export function recordOfSocket({ deps }: Deps, { networkUid, service, key }: Caller, hold: Hold): CallRecord {
  return createCallRecord({
    clock: deps.clock,
    about: { service, transport: 'webSocket', key },
    take: () => deps.observeCalls?.(networkUid),
    hold: (bytes) => isTaken(hold, bytes),
    give: hold.give,
  });
}

/** A call that there is no memory for is not followed; the connection stays. */
function isTaken(hold: Hold, bytes: number): boolean {
  try {
    hold.take(bytes);
    return true;
  } catch (error) {
    if (!isAppError(error)) throw error;
    return false;
  }
}

/** How the calls of a caller are judged, and who is told of them. */
export function screeningOf(caller: Caller, record: CallRecord | undefined): Screening {
  return record ? { access: caller.access, policy: caller.policy, note: record.note } : caller;
}
