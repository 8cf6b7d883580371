import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasDocker } from '../images/engine.ts';
import { cachePath } from '../lib/paths.ts';
import { identify, stopProcess } from '../lib/processes.ts';
import { step } from '../lib/progress.ts';
import { run, tryRun, UserError } from '../lib/run.ts';
import { waitUntil } from '../lib/wait.ts';
import { findCommand } from '../nativeNode/setup/packages.ts';
import { ensureTools } from '../tools/ensure.ts';

/** A Docker engine that runs until `stop`. */
export interface DockerEngine {
  /** True for an engine that was started here, which cannot reach registries. */
  isOwn: boolean;
  /** What commands need in their environment to use it. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

const socket = '/run/slipway-docker.sock';
const runtimeFolder = '/run/slipway-docker';
const packages = { dockerd: 'docker.io', mmdebstrap: 'mmdebstrap' };
const startLimitMs = 60_000;
const stopLimitMs = 30_000;

/** The machine's Docker engine, or one of Debian's that is started for the tests. */
export async function startEngine(): Promise<DockerEngine> {
  if (await hasDocker()) return { isOwn: false, env: {}, stop: async () => undefined };
  await ensurePackages();
  const { 'confined-runc': runtime } = await ensureTools(['confined-runc']);
  const pid = await step('starting a Docker engine', () => start(runtime));
  return {
    isOwn: true,
    env: { DOCKER_HOST: `unix://${socket}` },
    stop: () => step('stopping the Docker engine', () => stop(pid)),
  };
}

async function ensurePackages(): Promise<void> {
  const missing = Object.entries(packages).flatMap(([command, name]) => (findCommand(command) ? [] : [name]));
  if (missing.length === 0) return;
  const isPossible = process.platform === 'linux' && process.getuid?.() === 0 && findCommand('apt-get');
  if (!isPossible) {
    throw new UserError('kind needs a Docker engine: start Docker, or run this as root on Debian or Ubuntu.');
  }
  await step(`installing ${missing.join(', ')}`, () => installWithoutStarting(missing));
}

/** Debian starts a package's services unless this file says that it must not. */
async function installWithoutStarting(names: string[]): Promise<void> {
  const policy = '/usr/sbin/policy-rc.d';
  const hasPolicy = existsSync(policy);
  if (!hasPolicy) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    const options = { env: { DEBIAN_FRONTEND: 'noninteractive' }, logFile: cachePath('logs', 'apt.log') };
    await run('apt-get', ['update'], options);
    await run('apt-get', ['install', '--yes', '--no-install-recommends', ...names], options);
  } finally {
    if (!hasPolicy) rmSync(policy);
  }
}

async function start(runtime: string): Promise<number> {
  const logFile = cachePath('logs', 'docker.log');
  mkdirSync(dirname(logFile), { recursive: true });
  mkdirSync(runtimeFolder, { recursive: true });
  chmodSync(runtimeFolder, 0o700);
  const log = openSync(logFile, 'w');
  const args = [
    `--host=unix://${socket}`,
    `--data-root=${cachePath('docker')}`,
    `--exec-root=${runtimeFolder}/exec`,
    `--pidfile=${runtimeFolder}/pid`,
    `--config-file=${runtimeFolder}/daemon.json`,
    `--add-runtime=confined=${runtime}`,
    '--default-runtime=confined',
    '--exec-opt=native.cgroupdriver=cgroupfs',
  ];
  writeFileSync(`${runtimeFolder}/daemon.json`, '{}');
  const child = spawn(findCommand('dockerd') ?? 'dockerd', args, {
    detached: true,
    stdio: ['ignore', log, log],
  });
  child.unref();
  const isUp = async () => (await tryRun('docker', ['--host', `unix://${socket}`, 'info'])).code === 0;
  await waitUntil(isUp, startLimitMs, `dockerd did not start: see ${logFile}`);
  return child.pid ?? 0;
}

/** Docker leaves its rules behind, and with them a machine that forwards nothing. */
async function stop(pid: number): Promise<void> {
  const identity = identify(pid);
  if (identity) await stopProcess(identity, stopLimitMs);
  rmSync(runtimeFolder, { recursive: true, force: true });
  for (const table of ['filter', 'nat']) await removeDockerRules(table);
  await tryRun('iptables', ['--policy', 'FORWARD', 'ACCEPT']);
  for (const bridge of bridges()) await tryRun('ip', ['link', 'delete', bridge]);
}

async function removeDockerRules(table: string): Promise<void> {
  const saved = await run('iptables-save', ['--table', table]);
  const lines = saved.split('\n');
  const kept = lines.filter((line) => !/DOCKER|docker0|br-[0-9a-f]{12}|172\.(17|18)\.0\./.test(line));
  if (kept.length < lines.length)
    await run('iptables-restore', ['--table', table], { input: kept.join('\n') });
}

/** docker0, and the bridges that Docker named after networks. */
function bridges(): string[] {
  const lines = readFileSync('/proc/net/dev', 'utf8').split('\n');
  const names = lines.map((line) => line.split(':')[0]?.trim() ?? '');
  return names.filter((name) => /^(docker0|br-[0-9a-f]{12})$/.test(name));
}
