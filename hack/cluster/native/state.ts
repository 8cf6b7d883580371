import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { ProcessIdentity } from '../../lib/processes.ts';
import { layout } from './setup/layout.ts';

/** What the node must remember of itself between two commands. */
export interface NodeState {
  /** Hash of programs, flags and configuration: another one means another node. */
  stamp: string;
  /** False until a bring-up has ended: what a killed one left is cleaned, never continued. */
  isReady: boolean;
  /** Hash of the add-ons that were applied last. */
  addons?: string;
  supervisor?: ProcessIdentity;
  /** Kernel settings as they were before. */
  sysctls: Record<string, string>;
}

/** The state of the machine's node; undefined when there is none or its file is unreadable. */
export function readNodeState(): NodeState | undefined {
  try {
    return JSON.parse(readFileSync(layout.state, 'utf8')) as NodeState;
  } catch {
    return undefined;
  }
}

export function writeNodeState(state: NodeState): void {
  mkdirSync(layout.root, { recursive: true });
  writeFileSync(`${layout.state}.new`, JSON.stringify(state, undefined, 2));
  renameSync(`${layout.state}.new`, layout.state);
}
