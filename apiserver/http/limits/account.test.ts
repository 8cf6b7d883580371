import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { systemClock } from '../../../core/lib/clock.ts';
import type { Principal } from '../auth/principal.ts';
import { openAccount } from './account.ts';
import { noBudgetMetrics } from './budgetMetrics.ts';
import { createCallerLimits } from './callerLimits.ts';

const settings = {
  requestsPerSecond: 0,
  burst: 1,
  concurrent: 1,
  idempotencyKeysPerDay: 0,
  requestMemoryMiB: 1,
  trustedProxies: 0,
};
const principal: Principal = {
  userId: 'u',
  workspaceId: 'w',
  namespace: 'ws-w',
  role: 'viewer',
  permissions: new Set(),
};

it.each([
  ['an account, and of its workspace', principal, ['account', 'user/u', 'ws-w']],
  ['an address alone, without credentials', undefined, ['account', 'address/', undefined]],
])('a request counts as memory of %s', async (_whose, caller, holder) => {
  const limits = createCallerLimits(settings, systemClock, noBudgetMetrics);
  const opened: unknown[][] = [];
  const memory: typeof limits.memory = {
    open(...given) {
      opened.push(given);
      return limits.memory.open(...given);
    },
  };
  const request = { headers: {}, socket: new Socket() } as IncomingMessage;
  const account = await openAccount(
    { ...limits, memory },
    caller && { userId: 'u', presumed: caller },
    request,
  );
  account.release();
  expect(opened).toEqual([holder]);
});
