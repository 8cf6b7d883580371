import type { DeployNetwork } from '../../deploy/step.ts';
import { hashOf } from '../../lib/hash.ts';

/** A member of a LayerZero network. */
export interface LayerZeroMember extends DeployNetwork {
  eid: number;
}

/** Names of the steps whose addresses others need. */
export const endpointStep = 'endpoint';
export const messageLibStep = 'message-lib';

/** A member as the relay needs it. */
export interface LayerZeroEndpoint {
  id: string;
  incarnation: string;
  eid: number;
  endpoint: string;
  messageLib: string;
}

/** The progress that a member's steps are kept under. */
export const layerZeroScope = (plan: { id: string }, { id, incarnation }: LayerZeroMember) =>
  `layerzero/${plan.id}/${id}/${incarnation}`;

/** First of the generated endpoint ids: no public network has one like it, and 32 bits hold them. */
const firstEid = 1_000_000_000;
const eidCount = 1_000_000_000;

/**
 * Members with their endpoint ids: those that the spec names, else drawn from the networks' ids, so that they stay
 * when members come and go; one that is taken already gives way to the next.
 */
export function withEids<Member extends { id: string; eid?: number | undefined }>(
  members: readonly Member[],
): (Member & { eid: number })[] {
  const taken = new Set(members.flatMap(({ eid }) => (eid === undefined ? [] : [eid])));
  const drawn = new Map<string, number>();
  for (const { id } of members
    .filter(({ eid }) => eid === undefined)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    let eid = firstEid + (Number.parseInt(hashOf(['eid', id]).slice(0, 12), 16) % eidCount);
    while (taken.has(eid)) eid += 1;
    taken.add(eid);
    drawn.set(id, eid);
  }
  return members.map((member) => ({ ...member, eid: member.eid ?? drawn.get(member.id) ?? firstEid }));
}
