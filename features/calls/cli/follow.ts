import { printable } from '../../../cli/io/terminal.ts';
import { type Client, isSlipwayError } from '../../../cli/lib/client.ts';
import type { Context } from '../../../cli/lib/context.ts';
import { fail } from '../../../cli/lib/failure.ts';
import type { Call, GetNetworkCallsQuery } from '../../../sdk/src/generated/types.ts';
import { calledOf, outcomeOf } from './line.ts';

export interface CallRequest {
  id: string;
  failed: 'true' | undefined;
  limit: number | undefined;
}

const pauseMs = 1000;
/** The clocks of replicas differ: what was answered so long before the last one may still come. */
const overlapMs = 10_000;
const maxCalls = 1000;

/** Prints each call once, until it is interrupted or calls are no longer kept. */
export async function followCalls(context: Context, client: Client, request: CallRequest): Promise<void> {
  const { io, ui } = context;
  const { id, failed } = request;
  let query: GetNetworkCallsQuery = { failed, limit: request.limit };
  let printed: readonly string[] = [];
  for (;;) {
    const list = await client.networks.getCalls(id, query, { signal: io.signal }).catch(ifPassing);
    if (list?.enabled === false)
      throw fail('failed', 'The calls to this network are not kept.', 'Run the command with --on first.');
    const news = (list?.items ?? []).filter((one) => !printed.includes(one.id));
    for (const call of news) ui.item(call, lineOf(call));
    printed = [...printed, ...news.map((one) => one.id)].slice(-2 * maxCalls);
    const last = list?.items.at(-1);
    if (last) query = { failed, limit: maxCalls, since: beginningOf(last) };
    await io.clock.sleep(pauseMs, io.signal);
  }
}

/** A refusal ends it; a service that does not answer at the moment does not. */
function ifPassing(error: unknown): undefined {
  const isPassing =
    isSlipwayError(error) && (error.status === 0 || error.status === 429 || error.status >= 500);
  if (!isPassing) throw error;
}

const beginningOf = ({ time }: Call) => new Date(Date.parse(time) - overlapMs).toISOString();

function lineOf(call: Call): string {
  const { time, key, durationMs } = call;
  return printable(`${time}  ${key}  ${durationMs} ms  ${outcomeOf(call)}  ${calledOf(call)}`);
}
