import type { DeployNetwork } from '../../deploy/step.ts';
import { hashOf } from '../../lib/hash.ts';

/** A member of a LayerZero network. */
export interface LayerZeroMember extends DeployNetwork {
  eid: number;
}

/** Names of the steps whose addresses are needed elsewhere. */
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

/** The scope of a member's steps. */
export const layerZeroScope = (plan: { id: string }, { id, incarnation }: LayerZeroMember) =>
  `layerzero/${plan.id}/${id}/${incarnation}`;

/** First of the generated endpoint ids: no public network uses this range, and it fits into 32 bits. */
const firstEid = 1_000_000_000;
const eidCount = 1_000_000_000;

/**
 * Members with their endpoint ids: the one from the spec, otherwise one derived from the network's id, so that it stays
 * the same when members come and go. An id that is already taken is skipped.
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
