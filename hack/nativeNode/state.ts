import { readFileSync } from 'node:fs';
import type { ProcessIdentity } from '../lib/processes.ts';
import { writeWhole } from '../lib/wholeFile.ts';
import { layout } from './setup/layout.ts';

/** The node's state, kept between commands. */
export interface NodeState {
  /** Hash of programs, flags and configuration; a different hash requires a new node. */
  stamp: string;
  /** False until startup has completed; an interrupted startup is cleaned up, never continued. */
  isReady: boolean;
  /** Hash of the add-ons applied last. */
  addons?: string;
  supervisor?: ProcessIdentity;
  /** The original kernel settings. */
  sysctls: Record<string, string>;
}

/** The state of the machine's node; undefined when there is none or its file cannot be read. */
export function readNodeState(): NodeState | undefined {
  try {
    return JSON.parse(readFileSync(layout.state, 'utf8')) as NodeState;
  } catch {
    return undefined;
  }
}

export function writeNodeState(state: NodeState): void {
  writeWhole(layout.state, JSON.stringify(state, undefined, 2));
}
