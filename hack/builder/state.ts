import { readFileSync } from 'node:fs';
import { cachePath } from '../lib/paths.ts';
import type { ProcessIdentity } from '../lib/processes.ts';
import { writeWhole } from '../lib/wholeFile.ts';
import type { LocalKind } from './local.ts';

/** What is known of this machine's builder: there is one, because all checkouts share the cache. */
export interface BuilderState {
  kind: LocalKind;
  /** The kept copy of the sources that it runs from. */
  sources: string;
  /** On kind; the native node supervises its own. */
  process?: ProcessIdentity | undefined;
  /** The process group of the build that runs. */
  build?: ProcessIdentity | undefined;
}

const stateFile = () => cachePath('builder.json');

/** What the builder printed, where the native node does not keep it. */
export const builderLog = () => cachePath('logs', 'builder.log');

export function readBuilderState(path = stateFile()): BuilderState | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as BuilderState;
  } catch {
    return undefined;
  }
}

export function writeBuilderState(state: BuilderState, path = stateFile()): void {
  writeWhole(path, JSON.stringify(state));
}

/** Changes what is known of the builder. */
export function note(change: Partial<BuilderState>, path = stateFile()): void {
  const before = readBuilderState(path);
  if (before) writeBuilderState({ ...before, ...change }, path);
}
