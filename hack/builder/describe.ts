import { formatDuration } from '../lib/format.ts';
import type { Published } from './entries.ts';

export interface BuilderFacts {
  isRunning: boolean;
  /** Whether the cluster sees a builder: its Lease is renewed. */
  isSeen: boolean;
  log: string;
  entries: ReadonlyMap<string, Published>;
  /** What networks wait for. */
  wanted: readonly string[];
}

/** The builder of engines, and what it has made, in lines for people. */
export function describeBuilder(facts: BuilderFacts, nowMs: number): string[] {
  const { isRunning, entries, wanted, log } = facts;
  const inState = (state: Published['state']) =>
    [...entries].filter(([, entry]) => entry.state === state).map(([name]) => name);
  const list = (title: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${title}: ${names.join(', ')}`];
  const open = wanted.filter((name) => entries.get(name)?.state !== 'Available');
  return [
    `builder: ${stateOf(facts)}`,
    ...[...entries].flatMap(([name, entry]) =>
      entry.state === 'Building'
        ? [
            `building: ${name}, for ${formatDuration(nowMs - Date.parse(entry.since))}; it takes ${entry.takes}`,
          ]
        : [],
    ),
    ...list('networks wait for', open),
    ...list('available', inState('Available')),
    ...list('can be built', inState('Buildable')),
    ...[...entries].flatMap(([name, entry]) =>
      entry.state === 'Failed' ? [`failed: ${name}: ${entry.reason}`] : [],
    ),
    ...(isRunning ? [`log: ${log}`] : []),
  ];
}

function stateOf({ isRunning, isSeen }: BuilderFacts): string {
  if (isRunning) return isSeen ? 'running' : 'starting, or without a connection to the cluster';
  return 'not running: `make up` starts it, and `make engines ENGINES="geth prysm"` builds without it';
}
