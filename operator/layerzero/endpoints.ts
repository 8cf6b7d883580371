import { idOf, originOf } from '../../core/api/ids.ts';
import type { LayerZeroStatus } from '../../core/api/resources/layerZero.ts';
import { withEids } from '../../core/crosschain/layerzero/members.ts';
import { compact } from '../../core/lib/compact.ts';
import { shortHashOf } from '../../core/lib/hash.ts';
import { chainStanding } from '../../core/networks/incarnation.ts';
import {
  type Endpoint,
  type KnownMember,
  type LayerZeroFacts,
  type MemberEndpoint,
  type NamedMember,
  type UnverifiedChain,
  unverifiedKey,
} from './facts.ts';

export interface MemberEndpoints {
  /** Endpoints of the running members. */
  endpoints: MemberEndpoint[];
  unverified: UnverifiedChain[];
  /** For the status. */
  known: LayerZeroStatus;
}

/** A member, and the incarnation of the chain that its endpoint is or will be on. */
interface Placed {
  member: NamedMember;
  id: string;
  enclaveID: string;
  incarnation: string;
  former: KnownMember | undefined;
}

const isPlaced = (one: Placed | UnverifiedChain): one is Placed => 'member' in one;

/** The key of a member's endpoint in memory, and of its steps in a journal. */
export const scopeOf = ({ id, deployment }: Pick<MemberEndpoint, 'id' | 'deployment'>) =>
  `${id}/${deployment}`;

/** Names one deployment of an endpoint: on which chain, and how often all endpoints had begun again by then. */
const deploymentOf = (incarnation: string, generation: number) => shortHashOf([incarnation, generation]);

/**
 * Assigns an endpoint to each running member; with `isReset`, a new one to all of them. An endpoint and its id last as
 * long as the incarnation of the chain: applications count the messages between two addresses, and would wait forever
 * for messages of a lost chain. Generated ids change with the chain. If the spec fixes the id of a lost chain, all
 * endpoints are deployed again.
 */
export function placeMembers(
  facts: LayerZeroFacts,
  { running, isReset }: { running: readonly NamedMember[]; isReset: boolean },
): MemberEndpoints {
  const before = facts.network.status?.layerzero;
  const found = running.map((member) => placeMember(facts, member, isReset));
  const placed = found.filter(isPlaced);
  const isNewGeneration = isReset || placed.some(breaksPaths);
  const generation = (before?.generation ?? 0) + (isNewGeneration ? 1 : 0);
  const endpoints = withEids(placed.map((one) => identify(facts, one, { generation, isNewGeneration }))).map(
    ({ id: _seed, uid, ...endpoint }): MemberEndpoint => ({ ...endpoint, id: uid }),
  );
  const all = endpoints.map((endpoint) => ({
    ...endpoint,
    ...facts.memory.endpoints.get(scopeOf(endpoint)),
  }));
  const formerOf = (name: string) =>
    isNewGeneration ? undefined : before?.members.find(({ network }) => network === name);
  const members = facts.members.flatMap(({ name }): KnownMember[] => {
    const endpoint = all.find((one) => one.name === name);
    const known = endpoint ? describe(endpoint) : formerOf(name);
    return known ? [known] : [];
  });
  const isVoid = isNewGeneration || facts.memory.outcome?.isRolledBack === true;
  return {
    endpoints: all,
    unverified: found.flatMap((one) => (isPlaced(one) ? [] : [one])),
    known: {
      members,
      ...(generation > 0 ? { generation } : {}),
      ...compact({ wired: isVoid ? undefined : before?.wired }),
    },
  };
}

/** Some members may keep their chain when their enclaveID changes: this must be verified on the chain. */
function placeMember(
  { network, memory }: LayerZeroFacts,
  member: NamedMember,
  isReset: boolean,
): Placed | UnverifiedChain {
  const id = member.network ? idOf(member.network) : '';
  const { enclaveID = '' } = member.network?.status ?? {};
  const known = network.status?.layerzero;
  const former = known?.members.find((one) => one.network === member.name);
  const placed: Placed = { member, id, enclaveID, incarnation: enclaveID, former };
  if (isReset || !former?.endpoint || former.networkID !== id) return placed;
  const { incarnation } = former;
  const standing = chainStanding(member.network, { networkID: id, incarnation: former.enclaveID });
  if (standing === 'current') return { ...placed, incarnation };
  if (standing !== 'unverified') return placed;
  const verdict = memory.verified.get(unverifiedKey({ id, incarnation, enclaveID }));
  if (!verdict)
    return { id, incarnation, enclaveID, deployment: deploymentOf(incarnation, known?.generation ?? 0) };
  return verdict === 'current' ? { ...placed, incarnation } : placed;
}

function breaksPaths({ member: { eid }, id, incarnation, former }: Placed): boolean {
  if (eid === undefined || !former?.endpoint) return false;
  return former.networkID !== id || former.incarnation !== incarnation || former.eid !== eid;
}

function identify(
  { network }: LayerZeroFacts,
  { member, id, enclaveID, incarnation, former }: Placed,
  { generation, isNewGeneration }: { generation: number; isNewGeneration: boolean },
) {
  const own = deploymentOf(incarnation, generation);
  const isSame = !isNewGeneration && former?.networkID === id && former.incarnation === incarnation;
  const eid = member.eid ?? (isSame ? former.eid : undefined);
  return {
    // The seed of a generated id.
    id: `${originOf(network)}/${id}/${own}`,
    uid: id,
    name: member.name,
    enclaveID,
    incarnation,
    deployment: own,
    ...compact({ eid }),
    ...(isSame ? deployedOf(former) : {}),
  };
}

function describe(member: MemberEndpoint): KnownMember {
  const { name, id, eid, enclaveID, incarnation } = member;
  return { network: name, networkID: id, eid, enclaveID, incarnation, ...deployedOf(member) };
}

/** What is deployed on a member; nothing until all of it is known. */
function deployedOf({
  endpoint,
  messageLib,
  anchor,
}: { [Member in keyof Endpoint]?: Endpoint[Member] | undefined }): Partial<Endpoint> {
  return endpoint && messageLib ? { endpoint, messageLib, ...compact({ anchor }) } : {};
}
