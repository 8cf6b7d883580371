import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessIdentity } from '../lib/processes.ts';

/** How a process of the environment is started, and which one it is while it runs. */
export interface ServerState {
  command: string;
  args: string[];
  logFile: string;
  process?: ProcessIdentity;
}

/** What a test worker must know about the environment that its global set-up started. */
export interface EnvironmentState {
  folder: string;
  /** The process that started the environment: when it is gone, so is the environment's reason. */
  owner: ProcessIdentity;
  kubeconfig: string;
  apiserverUrl: string;
  etcdUrl: string;
  etcd: ServerState;
  apiserver: ServerState;
}

export function stateFileIn(folder: string): string {
  return join(folder, 'state.json');
}

/** Reads the description of an environment; throws when the file is gone. */
export function readState(file: string): EnvironmentState {
  return JSON.parse(readFileSync(file, 'utf8')) as EnvironmentState;
}

export function writeState(state: EnvironmentState): void {
  const file = stateFileIn(state.folder);
  writeFileSync(`${file}.new`, JSON.stringify(state, undefined, 2), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
