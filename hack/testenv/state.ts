import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessIdentity } from '../lib/processes.ts';

/** How a process of the environment is started, and its identity while it runs. */
export interface ServerState {
  command: string;
  args: string[];
  logFile: string;
  process?: ProcessIdentity;
}

/** What a test worker needs to know about the environment that the global setup started. */
export interface EnvironmentState {
  folder: string;
  /** The process that started the environment; once it has exited, the environment can be removed. */
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

/** Reads the state of an environment; throws when the file does not exist. */
export function readState(file: string): EnvironmentState {
  return JSON.parse(readFileSync(file, 'utf8')) as EnvironmentState;
}

export function writeState(state: EnvironmentState): void {
  const file = stateFileIn(state.folder);
  writeFileSync(`${file}.new`, JSON.stringify(state, undefined, 2), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
