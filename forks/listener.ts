import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Hold, MemoryBudget } from '../apiserver/http/limits/memoryBudget.ts';
import { logFailure, sendError, toPublicError } from '../apiserver/http/pipeline/errors.ts';
import { receive } from '../apiserver/http/pipeline/receive.ts';
import { requestIdOf } from '../apiserver/http/pipeline/requestId.ts';
import { sendJson, whenTaken } from '../apiserver/http/pipeline/send.ts';
import { type ForkScope, openForkPath } from '../core/accounts/forkTokens.ts';
import type { Keyring } from '../core/accounts/keyring.ts';
import type { ShareOf } from '../core/accounts/shares/shares.ts';
import type { Clock } from '../core/lib/clock.ts';
import { AppError, messageOf } from '../core/lib/errors.ts';
import type { Log } from '../core/lib/log.ts';
import { createThrottle } from '../core/lib/throttle.ts';
import { answerMessage } from './answerMessage.ts';
import type { ForkedChains } from './chains.ts';

export interface ForkListenerDeps {
  keys: Keyring;
  chains: ForkedChains;
  memory: MemoryBudget;
  /** Whose share of the limits the forks of a workspace take: that of the memory, too. */
  shareOf: ShareOf;
  clock: Clock;
  log: Log;
}

interface Deps extends ForkListenerDeps {
  /** Logs why a source fails, at most once a minute, whatever number of own ones an account has. */
  warn(scope: ForkScope, share: string, reason: string): void;
}

const maxBodyBytes = 1024 * 1024;
const warnMs = 60_000;

/** Answers the engines of forks: JSON-RPC over HTTP at the path that only the engine of one network knows. */
export function createForkListener(options: ForkListenerDeps): RequestListener {
  const isDue = createThrottle(options.clock, warnMs);
  const deps: Deps = {
    ...options,
    warn: ({ type, networkUid, ownUrl }, share, reason) => {
      const isOwn = ownUrl !== undefined;
      if (!isDue.take(isOwn ? share : type)) return;
      if (isOwn) options.log.info('the fork source of a workspace fails', { type, networkUid, reason });
      else options.log.warn('a fork source fails', { type, reason });
    },
  };
  return (request, response) => {
    answer(deps, request, response).catch((error: unknown) => {
      const publicError = toPublicError(error);
      logFailure(deps.log, publicError);
      sendError(response, publicError, requestIdOf(request.headers['x-request-id']));
    });
  };
}

async function answer(deps: Deps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const scope = scopeOf(deps, request);
  const { networkUid, workspace, type, ownUrl } = scope;
  const chain = ownUrl === undefined ? deps.chains.of(type) : deps.chains.ofOwn(type, ownUrl);
  // The engines of networks that an earlier version started do not name their workspace.
  const share = workspace === undefined ? `network/${networkUid}` : deps.shareOf(workspace);
  const hold = deps.memory.open('network', networkUid, workspace);
  try {
    const body = await receive(request, { limitBytes: maxBodyBytes, hold, clock: deps.clock });
    if (!body) return;
    const warn = (reason: string) => deps.warn(scope, share, reason);
    const asker = { chain, networkUid, share, hold: limitOf(hold), warn };
    sendJson(response, 200, await answerMessage(body, asker));
  } finally {
    // Not earlier, even if the engine is gone: the source still sends what is kept for others.
    whenTaken(response, hold.release);
  }
}

/** That a network is over its share is not the failure of a source: others who ask the same are not concerned. */
function limitOf(hold: Hold): Pick<Hold, 'take'> {
  return {
    take(bytes) {
      try {
        hold.take(bytes);
      } catch (error) {
        throw new AppError('TooManyRequests', messageOf(error));
      }
    },
  };
}

function scopeOf({ keys }: ForkListenerDeps, request: IncomingMessage) {
  const scope = openForkPath(keys, request.url ?? '');
  if (!scope) throw new AppError('NotFound', 'no such fork');
  if (request.method !== 'POST') throw new AppError('MethodNotAllowed', 'use POST for JSON-RPC');
  return scope;
}
