import { buildableEngines, type EngineName } from '../api/engines.ts';
import type { ErrorDetail } from '../lib/errors.ts';
import type { EngineSet } from './engineSet.ts';
import { describeFailure, describeWait } from './wait.ts';

/** An engine that a spec needs. */
export interface EngineNeed {
  engine: EngineName;
  /** The member of the spec that needs it. */
  path: string;
  /** What can be done without it, as an imperative clause. */
  instead?: string;
}

/** Why what needs engines cannot run yet. */
export type EngineBlocker =
  /** An engine has no image and is not offered: somebody must act. */
  | { kind: 'refused'; details: ErrorDetail[] }
  /** The builder could not make one. */
  | { kind: 'failed'; message: string }
  /** All of them will become available by themselves. */
  | { kind: 'waiting'; message: string };

/** The engines that have no image, in the order of the needs. */
export function missingEngines(needs: readonly EngineNeed[], { images }: EngineSet): EngineName[] {
  return [...new Set(needs.map(({ engine }) => engine))].filter((engine) => images[engine] === undefined);
}

/** Why these needs are not met; undefined when all engines are there. The same for chains and plugins, REST and operator. */
export function engineBlocker(needs: readonly EngineNeed[], set: EngineSet): EngineBlocker | undefined {
  const missing = missingEngines(needs, set);
  if (missing.length === 0) return undefined;
  const details = refusedNeeds(needs, set);
  if (details.length > 0) return { kind: 'refused', details };
  const failure = describeFailure(missing, set);
  if (failure !== undefined) return { kind: 'failed', message: failure };
  return { kind: 'waiting', message: describeWait(missing, set) };
}

/** A detail for each member of the spec that needs what is neither there nor offered. */
export function refusedNeeds(needs: readonly EngineNeed[], { images, offers }: EngineSet): ErrorDetail[] {
  const open = needs.filter(({ engine }) => !images[engine] && !offers[engine]);
  const byPath = Map.groupBy(open, ({ path }) => path);
  return [...byPath].map(([path, found]) => ({ path, message: refusalOf(found) }));
}

function refusalOf(needs: readonly EngineNeed[]): string {
  const names = [...new Set(needs.map(({ engine }) => engine))];
  const settings = names.map((name) => `engines.${name}`).join(' and ');
  const choices = [
    `set ${settings} in the chart`,
    ...buildOf(names),
    ...needs.flatMap(insteadOf).slice(0, 1),
  ];
  return `needs ${settings}, which this installation lacks: ${choices.join(', or ')}`;
}

const insteadOf = ({ instead }: EngineNeed) => (instead === undefined ? [] : [instead]);

function buildOf(names: readonly EngineName[]): string[] {
  if (!names.every((name) => buildableEngines.has(name))) return [];
  const list = names.length === 1 ? names.join(' ') : `'${names.join(' ')}'`;
  return [`run "make engines ENGINES=${list}" on the machine that ran "make up"`];
}
