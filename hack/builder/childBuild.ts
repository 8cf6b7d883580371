import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { identify, isAlive, type ProcessIdentity } from '../lib/processes.ts';
import { UserError } from '../lib/run.ts';
import { type Published, publishedSchema } from './entries.ts';
import { note } from './state.ts';

/** What the process of a build answers. */
const answerSchema = z.union([z.object({ entry: publishedSchema }), z.object({ error: z.string() })]);
export type Answer = z.infer<typeof answerSchema>;

const graceMs = 2_000;
const script = join(import.meta.dirname, 'buildOne.ts');

/**
 * Runs a build in a process of its own, whose group ends with all that it started when `signal` aborts. The group is noted, so
 * that somebody can end it after this process was killed. `args` are those of buildOne.ts.
 */
export async function buildInChild(
  args: readonly string[],
  signal: AbortSignal,
  program = script,
): Promise<Published> {
  const child = spawn(process.execPath, [program, ...args], {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const { promise, resolve } = Promise.withResolvers<Answer>();
  child.once('message', (message) => resolve(answerOf(message)));
  child.once('error', ({ message }) => resolve({ error: message }));
  child.once('close', () => resolve({ error: 'the build ended without an answer' }));
  const group = child.pid === undefined ? undefined : identify(child.pid);
  note({ build: group });
  const end = () => void (group && endGroup(group));
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const answer = await promise;
  signal.removeEventListener('abort', end);
  note({ build: undefined });
  if ('error' in answer) throw new UserError(answer.error);
  return answer.entry;
}

function answerOf(message: unknown): Answer {
  const parsed = answerSchema.safeParse(message);
  return parsed.success ? parsed.data : { error: 'the build answered something else' };
}

/** Ends a process group, whether or not its first process still runs. */
export async function endGroup(leader: ProcessIdentity): Promise<void> {
  signalGroup(leader, 'SIGTERM');
  const deadlineMs = Date.now() + graceMs;
  while (isAlive(leader) && Date.now() < deadlineMs) await delay(20);
  signalGroup(leader, 'SIGKILL');
}

function signalGroup({ pid }: ProcessIdentity, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch {
    // All of them have ended.
  }
}
