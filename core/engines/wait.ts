import type { EngineName } from '../api/engines.ts';
import type { EngineSet, Offer } from './engineSet.ts';

/**
 * How long the wait for these engines is: what is being built and what comes next, each with a typical time. The text changes
 * only with the builder's progress, not with time.
 */
export function describeWait(missing: readonly EngineName[], { offers }: EngineSet): string {
  const found = Object.entries(offers).find(([, { state }]) => state === 'Building');
  const [current, build] = found ?? [];
  const isOurs = missing.some((name) => name === current);
  const later = missing.filter((name) => name !== current).map((name) => nameAndTime(name, offers[name]));
  if (build?.state !== 'Building') return `waiting for the builder, which makes ${later.join(', then ')}`;
  if (isOurs) {
    const now = `engines.${current} is being built, which takes ${build.takes} (since ${timeOf(build.since)})`;
    return [now, ...later].join('; then ');
  }
  return `waiting to be built: ${later.join(', then ')}; before that, engines.${current} takes ${build.takes} (since ${timeOf(build.since)})`;
}

/** Why the builder could not make one of these engines; undefined when it has not failed. */
export function describeFailure(missing: readonly EngineName[], { offers }: EngineSet): string | undefined {
  for (const name of missing) {
    const offer = offers[name];
    if (offer?.state !== 'Failed') continue;
    const remedy = 'it is tried again; "make status" on the machine that ran "make up" shows the log';
    return `engines.${name} could not be built (${timeOf(offer.since)}): ${offer.reason.replace(/\.$/, '')}; ${remedy}`;
  }
  return undefined;
}

function nameAndTime(name: EngineName, offer: Offer | undefined): string {
  return offer ? `engines.${name} (${offer.takes})` : `engines.${name}`;
}

/** The time of day, which is enough beside a duration. */
function timeOf(since: string): string {
  return `${since.slice(11, 19)} UTC`;
}
