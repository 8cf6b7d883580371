import { spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { identify, type ProcessIdentity } from '../lib/processes.ts';
import { tryRun, UserError } from '../lib/run.ts';
import { drivers, type Service } from './services.ts';
import { layout } from './setup/layout.ts';

/** Drivers get time to shut down cleanly; the other services' data is discarded, so they need less. */
const DRIVER_LIMIT_SECONDS = 10;
const OTHER_LIMIT_SECONDS = 2;
/** svlogd rotates each log at 10 MB and keeps the newest three files. */
const LOG_POLICY = 's10000000\nn3\n';

/**
 * Writes the runit folder of a service: its run script and its log configuration. `place` says where a path of the
 * service's node is on this machine.
 */
export function writeService(service: Service, place = (path: string) => path): void {
  const folder = place(join(layout.services, service.name));
  const logs = join(layout.logs, service.name);
  mkdirSync(join(folder, 'log'), { recursive: true });
  mkdirSync(place(logs), { recursive: true });
  writeFileSync(join(place(logs), 'config'), LOG_POLICY);
  if (service.stop) {
    mkdirSync(join(folder, 'control'), { recursive: true });
    writeScript(join(folder, 'control', 't'), service.stop);
  }
  writeScript(join(folder, 'run'), runScript(service.command));
  writeScript(join(folder, 'log', 'run'), `#!/bin/sh\nexec svlogd ${logs}\n`);
}

/** A shell script that execs the command, logs stderr with stdout and raises the open-file limit to the maximum. */
export function runScript(command: string[]): string {
  const quoted = command.map((part) => `'${part.replaceAll("'", `'\\''`)}'`);
  return `#!/bin/sh\nexec 2>&1\nulimit -n "$(ulimit -H -n)"\ncd /\nexec ${quoted.join(' \\\n  ')}\n`;
}

/** Starts the supervisor, which starts all services and restarts each one when it exits. */
export function startSupervisor(): ProcessIdentity {
  const log = openSync(join(layout.logs, 'supervisor.log'), 'a');
  const child = spawn('runsvdir', ['-P', layout.services], {
    cwd: layout.root,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.on('error', () => undefined);
  child.unref();
  const identity = child.pid === undefined ? undefined : identify(child.pid);
  if (!identity)
    throw new UserError(
      'runsvdir could not be started: check that runit is installed (apt-get install runit)',
    );
  return identity;
}

/** Starts services that were stopped by hand. */
export async function resumeServices(): Promise<void> {
  await tryRun('sv', ['up', ...serviceNames().map((name) => join(layout.services, name))]);
}

/** Stops a service and removes its folder. Renamed first, so that the supervisor does not start it again. */
export async function removeService(name: string): Promise<void> {
  const folder = join(layout.services, name);
  const retired = join(layout.services, `.${name}`);
  if (existsSync(folder)) {
    rmSync(retired, { recursive: true, force: true });
    renameSync(folder, retired);
  }
  await tryRun('sv', ['-w', '5', 'force-shutdown', retired]);
  rmSync(retired, { recursive: true, force: true });
}

/** Stops the services that can start containers, with their supervisors. Never fails: leftovers are killed later. */
export async function stopDrivers(): Promise<void> {
  await shutDown(drivers, DRIVER_LIMIT_SECONDS);
}

export async function stopOthers(): Promise<void> {
  await shutDown(serviceNames(), OTHER_LIMIT_SECONDS);
}

/** One line per service: whether it is running and for how long. */
export async function serviceStatus(): Promise<string> {
  const folders = serviceNames().map((name) => join(layout.services, name));
  return (await tryRun('sv', ['status', ...folders])).output;
}

export function serviceNames(): string[] {
  if (!existsSync(layout.services)) return [];
  return readdirSync(layout.services)
    .filter((name) => !name.startsWith('.'))
    .sort();
}

async function shutDown(names: string[], limitSeconds: number): Promise<void> {
  const folders = names.map((name) => join(layout.services, name)).filter((folder) => existsSync(folder));
  if (folders.length === 0) return;
  await tryRun('sv', ['-w', String(limitSeconds), 'force-shutdown', ...folders]);
}

function writeScript(path: string, text: string): void {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}
