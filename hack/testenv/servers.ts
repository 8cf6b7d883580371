import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { lastLines } from '../lib/format.ts';
import { answersOk } from '../lib/http.ts';
import { identify, isAlive, type ProcessIdentity } from '../lib/processes.ts';
import { UserError } from '../lib/run.ts';
import type { ServerState } from './state.ts';

const POLL_INTERVAL_MS = 50;

/** Systems give higher ports to outgoing connections (Linux from 32768, macOS from 49152), and Kubernetes those from 30000 to NodePorts. */
const PORTS = { first: 10_000, end: 30_000 };

/** Distinct loopback ports that are free, and that no outgoing connection takes before their servers listen. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(PORTS.first, PORTS.end);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Starts a server that outlives this process and writes its output to its log file. */
export function startServer(server: ServerState): ProcessIdentity {
  const log = openSync(server.logFile, 'a');
  const child = spawn(server.command, server.args, { detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  child.on('error', () => undefined);
  child.unref();
  const identity = child.pid === undefined ? undefined : identify(child.pid);
  if (!identity) throw new UserError(`${server.command} could not be started: see ${server.logFile}`);
  return identity;
}

/** Waits until `url` returns 200; throws UserError with the end of the server's log when it exits or times out. */
export async function waitForOk(url: string, server: ServerState, limitMs: number): Promise<void> {
  const deadlineMs = Date.now() + limitMs;
  while (!(await answersOk(url))) {
    const hasEnded = !server.process || !isAlive(server.process);
    if (hasEnded || Date.now() > deadlineMs) {
      const log = lastLines(readFileSync(server.logFile, 'utf8'), 20);
      throw new UserError(
        `${server.command} ${hasEnded ? 'exited' : 'did not become ready in time'}:\n${log}`,
      );
    }
    await delay(POLL_INTERVAL_MS);
  }
}
