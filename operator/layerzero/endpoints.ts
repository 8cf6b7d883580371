import type { LayerZeroStatus } from '../../core/api/resources/layerZero.ts';
import { withEids } from '../../core/crosschain/layerzero/members.ts';
import { shortHashOf } from '../../core/lib/hash.ts';
import {
  type Doubt,
  doubtKey,
  type KnownMember,
  type LayerZeroFacts,
  type NamedMember,
  type Station,
} from './facts.ts';

export interface Stations {
  /** Members whose chains run. */
  stations: Station[];
  doubts: Doubt[];
  /** For the status. */
  known: LayerZeroStatus;
}

/** A member on the chain that its endpoint is on, or shall be. */
interface Placed {
  member: NamedMember;
  id: string;
  enclaveID: string;
  incarnation: string;
  former: KnownMember | undefined;
}

const isPlaced = (one: Placed | Doubt): one is Placed => 'member' in one;

/** Where a member's endpoint is kept in memory, and its steps in a journal. */
export const scopeOf = ({ id, life }: Pick<Station, 'id' | 'life'>) => `${id}/${life}`;

const lifeOf = (incarnation: string, life: number) => shortHashOf([incarnation, life]);

/**
 * Places each member that runs; with `isReset` all of them anew. An endpoint lives as long as its chain does, and so
 * does its id: applications count the messages between two addresses, and would wait for ever for those that a chain
 * has had which is gone. Ids that are drawn are drawn anew with the chain. With one that the spec names, all endpoints
 * begin anew.
 */
export function placeMembers(
  facts: LayerZeroFacts,
  { running, isReset }: { running: readonly NamedMember[]; isReset: boolean },
): Stations {
  const before = facts.network.status?.layerzero;
  const found = running.map((member) => placeMember(facts, member, isReset));
  const placed = found.filter(isPlaced);
  const isAnew = isReset || placed.some(breaksPaths);
  const life = (before?.life ?? 0) + (isAnew ? 1 : 0);
  const stations = withEids(placed.map((one) => identify(facts, one, { life, isAnew }))).map(
    ({ id: _seed, uid, ...station }): Station => ({ ...station, id: uid }),
  );
  const all = stations.map((station) => ({ ...station, ...facts.memory.endpoints.get(scopeOf(station)) }));
  const formerOf = (name: string) =>
    isAnew ? undefined : before?.members.find(({ network }) => network === name);
  const members = facts.members.flatMap(({ name }): KnownMember[] => {
    const station = all.find((one) => one.name === name);
    const known = station ? describe(station) : formerOf(name);
    return known ? [known] : [];
  });
  const wired = isAnew ? undefined : before?.wired;
  return {
    stations: all,
    doubts: found.flatMap((one) => (isPlaced(one) ? [] : [one])),
    known: { members, ...(life > 0 ? { life } : {}), ...(wired === undefined ? {} : { wired }) },
  };
}

/** A persistent member may keep its chain over lives of its engine: that has to be looked up there. */
function placeMember(
  { network, memory }: LayerZeroFacts,
  member: NamedMember,
  isReset: boolean,
): Placed | Doubt {
  const { uid: id = '' } = member.network?.metadata ?? {};
  const { enclaveID = '' } = member.network?.status ?? {};
  const known = network.status?.layerzero;
  const former = known?.members.find((one) => one.network === member.name);
  const placed: Placed = { member, id, enclaveID, incarnation: enclaveID, former };
  if (isReset || !former?.endpoint || former.networkID !== id) return placed;
  const { incarnation } = former;
  if (former.enclaveID === enclaveID) return { ...placed, incarnation };
  if (!member.network?.spec.persistent) return placed;
  const verdict = memory.lives.get(doubtKey({ id, incarnation, enclaveID }));
  if (!verdict) return { id, incarnation, enclaveID, life: lifeOf(incarnation, known?.life ?? 0) };
  return verdict === 'present' ? { ...placed, incarnation } : placed;
}

function breaksPaths({ member: { eid }, id, incarnation, former }: Placed): boolean {
  if (eid === undefined || !former?.endpoint) return false;
  return former.networkID !== id || former.incarnation !== incarnation || former.eid !== eid;
}

function identify(
  { network }: LayerZeroFacts,
  { member, id, enclaveID, incarnation, former }: Placed,
  { life, isAnew }: { life: number; isAnew: boolean },
) {
  const own = lifeOf(incarnation, life);
  const isSame = !isAnew && former?.networkID === id && former.incarnation === incarnation;
  const eid = member.eid ?? (isSame ? former.eid : undefined);
  const { endpoint, messageLib } = isSame ? former : {};
  return {
    // What an id is drawn from.
    id: `${network.metadata.uid}/${id}/${own}`,
    uid: id,
    ...{ name: member.name, enclaveID, incarnation, life: own },
    ...(eid === undefined ? {} : { eid }),
    ...(endpoint && messageLib ? { endpoint, messageLib } : {}),
  };
}

function describe({ name, id, eid, enclaveID, incarnation, endpoint, messageLib }: Station): KnownMember {
  const deployed = endpoint && messageLib ? { endpoint, messageLib } : {};
  return { network: name, networkID: id, eid, enclaveID, incarnation, ...deployed };
}
