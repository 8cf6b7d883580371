import type { Clock } from '../../../core/lib/clock.ts';
import { messageOf } from '../../../core/lib/errors.ts';
import type { Log } from '../../../core/lib/log.ts';
import type { Agent } from './agent.ts';

interface RunDeps {
  clock: Clock;
  log: Log;
  stop: AbortSignal;
}

const pauseMs = 200;
const pauseAfterFailureMs = 1000;

/** Lets the agent work until `stop` aborts. */
export async function runAgent(agent: Agent, { clock, log, stop }: RunDeps): Promise<void> {
  let lastReason: string | undefined;
  while (!stop.aborted) {
    const reason = await agent.tick().then(() => undefined, messageOf);
    if (reason !== undefined && reason !== lastReason) log.warn('cannot work', { reason });
    lastReason = reason;
    await clock.sleep(reason === undefined ? pauseMs : pauseAfterFailureMs, stop).catch(() => undefined);
  }
}
