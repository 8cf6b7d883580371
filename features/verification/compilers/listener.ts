import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { MemoryBudget } from '../../../apiserver/http/limits/memoryBudget.ts';
import type { Turns } from '../../../apiserver/http/limits/turns.ts';
import { logFailure, sendError, toPublicError } from '../../../apiserver/http/pipeline/errors.ts';
import { receive } from '../../../apiserver/http/pipeline/receive.ts';
import { requestIdOf } from '../../../apiserver/http/pipeline/requestId.ts';
import { sendJson } from '../../../apiserver/http/pipeline/send.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { AppError, isAppError, messageOf } from '../../../core/lib/errors.ts';
import type { Log } from '../../../core/lib/log.ts';
import { cut } from '../../../core/lib/text/foreignText.ts';
import { accountHeader } from '../core/order.ts';
import type { CompilerMetrics } from './metrics.ts';
import { type CompilerLimits, runCompiler } from './runCompiler.ts';
import type { Shelf } from './shelf.ts';

export interface CompilersDeps {
  shelf: Shelf;
  limits: CompilerLimits;
  /** Accounts take turns, by what their compilations are expected to cost. */
  turns: Turns;
  memory: MemoryBudget;
  metrics: CompilerMetrics;
  clock: Clock;
  log: Log;
}

const charactersPerPrice = 64 * 1024;
/** Sources of a MiB or more. */
export const largePrice = 16;

/** A submission has at most `rpc.maxBodyBytes`, 5 MiB unless it is set: the order, which quotes it, may have twice that. */
const maxBodyBytes = 16 * 1024 * 1024;

const orderSchema = z.strictObject({
  /** Whose share it takes: the account that owns the workspace. Version 0.3.0 has the workspace. */
  workspace: z.string().min(1).max(253),
  /** `0.8.28+commit.7893614a`. */
  compiler: z.string().max(128),
  /** Standard JSON, as text: the process does not look at it. */
  input: z.string(),
});

/** Compiles for the API server: POST /compile with an order, answered with the standard JSON output. */
export function createCompilersListener(deps: CompilersDeps): RequestListener {
  return (request, response) => {
    answer(deps, request, response).catch((error: unknown) => {
      const publicError = toPublicError(error);
      logFailure(deps.log, publicError);
      sendError(response, publicError, requestIdOf(request.headers['x-request-id']));
    });
  };
}

async function answer(
  deps: CompilersDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.url !== '/compile') throw new AppError('NotFound', 'path not found: use POST /compile');
  if (request.method !== 'POST') throw new AppError('MethodNotAllowed', 'use POST');
  const hold = deps.memory.open('account', String(request.headers[accountHeader] ?? 'any'));
  try {
    const body = await receive(request, { limitBytes: maxBodyBytes, hold, clock: deps.clock });
    if (!body) return;
    sendJson(response, 200, await compile(deps, orderOf(body)));
  } finally {
    hold.release();
  }
}

/** A compilation takes time in proportion to its sources, comments included, and some time in any case. */
function priceOf(input: string): number {
  return 1 + Math.ceil(input.length / charactersPerPrice);
}

async function compile(
  { shelf, turns, limits, clock, metrics }: CompilersDeps,
  { workspace: account, compiler, input }: z.infer<typeof orderSchema>,
): Promise<string> {
  try {
    const found = shelf.find(compiler);
    const end = await turns.begin(account, { price: priceOf(input) });
    try {
      const output = await runCompiler({ ...found, input, limits, clock });
      metrics.compiled('done');
      return output;
    } finally {
      end();
    }
  } catch (error) {
    metrics.compiled(isAppError(error, 'BadRequest') ? 'ended' : 'refused');
    throw error;
  }
}

function orderOf(body: Buffer): z.infer<typeof orderSchema> {
  try {
    return orderSchema.parse(JSON.parse(body.toString('utf8')));
  } catch (error) {
    throw new AppError('BadRequest', `the order is not valid: ${cut(messageOf(error), 500)}`);
  }
}
