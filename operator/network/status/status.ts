import type { NetworkStatus } from '../../../core/api/resources/networkStatus.ts';
import { stableJson } from '../../../core/lib/hash.ts';
import { isPlainObject } from '../../../core/lib/json/members.ts';
import type { DesiredStatus } from '../lifecycle/context.ts';

/**
 * The JSON merge patch that turns the status `before` into `desired`, or undefined if they are equal.
 * Fields that `desired` lacks are removed, except for lastActivityAt, which has other writers.
 */
export function statusPatch(before: NetworkStatus | undefined, desired: DesiredStatus): object | undefined {
  const former: Record<string, unknown> = { ...before };
  const wanted: Record<string, unknown> = { ...desired };
  const patch: Record<string, unknown> = {};
  for (const member of new Set([...Object.keys(former), ...Object.keys(wanted)])) {
    if (member === 'lastActivityAt') continue;
    if (stableJson(former[member]) === stableJson(wanted[member])) continue;
    patch[member] = wanted[member] === undefined ? null : mergeable(former[member], wanted[member]);
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** A merge patch keeps fields that it does not mention, so removed fields are set to null. */
function mergeable(former: unknown, wanted: unknown): unknown {
  if (!isPlainObject(former) || !isPlainObject(wanted)) return wanted;
  const members = [...new Set([...Object.keys(former), ...Object.keys(wanted)])];
  return Object.fromEntries(
    members.map((member) => [
      member,
      wanted[member] === undefined ? null : mergeable(former[member], wanted[member]),
    ]),
  );
}
