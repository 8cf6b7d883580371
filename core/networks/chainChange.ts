import {
  adjustableNames,
  chainTypes,
  defaultParticipant,
  type EthereumParticipantSpec,
  hasParticipants,
  isEvmChain,
} from '../api/resources/chainSpecs.ts';
import type { ChainSpec, NetworkResource, NetworkSpec } from '../api/resources/network.ts';
import { consensusCaveat, consensusFields } from '../api/rules/consensusFields.ts';
import { forkingCaveat, forkingOf, maintenanceCaveat } from '../api/rules/forking.ts';
import { idleCaveat } from '../api/rules/lifetimes.ts';
import { compact } from '../lib/compact.ts';
import { shortHashOf } from '../lib/hash.ts';
import { begunProfile, profileOf, profilePath } from './profiles.ts';

/**
 * "What does this change of the spec do to the running chain?", answered in one place for REST, admission and operator.
 *
 * - `none`: the chain does not depend on it.
 * - `adjust`: the running engine takes it over.
 * - `newPods`: the engine takes it over when its pods start again on the same data.
 * - `newChain`: the chain's data is lost.
 */
export type ChainEffect = 'none' | 'adjust' | 'newPods' | 'newChain';

export interface ChainChange {
  effect: ChainEffect;
  /** The changed members that have this effect, each with its path from `spec` on. */
  paths: string[];
}

/** A hash of each member of a spec that its chain depends on, by the member's path. */
type ChainMembers = Record<string, string>;

const fromPath = 'spec.from.snapshot';

const strongest = ['newChain', 'newPods', 'adjust'] as const;

/**
 * The effect of giving `network` the spec `next`. The status says what the chain was begun with, so that a change that
 * the operator has not seen yet counts as well.
 */
export function chainChangeOf(
  { status, spec }: Pick<NetworkResource, 'status' | 'spec'>,
  next: NetworkSpec = spec,
): ChainChange {
  const { [profilePath(spec.chain)]: _profile, ...before } =
    status?.incarnation?.members ?? chainMembersOf(spec);
  const engine: EngineFacts = {
    chain: next.chain,
    isKept: status?.storage === 'Volume',
    isReal: profileOf(next.chain, status) === 'real',
  };
  const endingPaths = [
    changedChainId(status?.chainID, next.chain),
    changedProfile({ spec, ...compact({ status }) }, next.chain),
  ].filter((path) => path !== undefined);
  const changes: { path: string; effect: ChainEffect }[] = [
    ...endingPaths.map((path) => ({ path, effect: 'newChain' as const })),
    ...changedMembers(before, chainMembersOf(next)).map((path) => ({ path, effect: effectOf(path, engine) })),
  ];
  const effect = strongest.find((one) => changes.some((change) => change.effect === one)) ?? 'none';
  return { effect, paths: changes.filter((change) => change.effect === effect).map(({ path }) => path) };
}

/** The paths of the members that differ. */
function changedMembers(before: ChainMembers, after: ChainMembers): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (path) => before[path] !== after[path] && !isReleased(path, after),
  );
}

/**
 * The warning for a change of `network` to the spec `next` that ends the running chain; undefined if the change does
 * not, or if the chain has no data yet.
 */
export function newChainWarning(
  network: Pick<NetworkResource, 'spec' | 'status'>,
  next: NetworkSpec,
): string | undefined {
  if (!hasChain(network)) return undefined;
  const { effect, paths } = chainChangeOf(network, next);
  if (effect !== 'newChain') return undefined;
  const verb = paths.length === 1 ? 'starts' : 'start';
  return `${paths.join(', ')} ${verb} a new chain: the running chain and its data are deleted`;
}

/** The warnings for a change of `network` to the spec `next`: that its chain ends, and what has no effect. */
export function changeWarning(
  network: Pick<NetworkResource, 'spec' | 'status'>,
  next: NetworkSpec,
): string | undefined {
  const known = caveatsOf(network.spec);
  const caveats = caveatsOf(next).filter((text) => !known.includes(text));
  return joined([newChainWarning(network, next), ...caveats, maintenanceCaveat(next)]);
}

/** What of the spec of a new network has no effect. */
export function creationWarning(spec: NetworkSpec): string | undefined {
  return joined([...caveatsOf(spec), maintenanceCaveat(spec)]);
}

/** What of a spec has no effect for as long as it stays so. */
const caveatsOf = (spec: NetworkSpec): (string | undefined)[] => [
  consensusCaveat(spec.chain),
  forkingCaveat(spec.chain),
  idleCaveat(spec),
];

const joined = (warnings: readonly (string | undefined)[]): string | undefined =>
  warnings.filter((text) => text !== undefined).join('; ') || undefined;

/** Whether a chain that has answered would be lost with its data. */
export function hasChain({ status, spec }: Pick<NetworkResource, 'status' | 'spec'>): boolean {
  if (status?.incarnation?.startedAt === undefined) return false;
  const isDown = status.state === 'Stopped' || status.state === 'Stopping';
  return !isDown || spec.persistent === true;
}

export function chainMembersOf({ chain, from }: Pick<NetworkSpec, 'chain' | 'from'>): ChainMembers {
  const { member } = chainTypes[chain.type];
  // A LayerZero network has no chain of its own.
  const spec = chain.type === 'LayerZero' ? {} : (chain[member] ?? {});
  const members = Object.entries(spec).flatMap(([name, value]) => membersOf(name, value, chain));
  const named = members.map(([name, value]) => [`spec.chain.${member}.${name}`, shortHashOf(value)]);
  return Object.fromEntries([...named, ...(from ? [[fromPath, shortHashOf(from.snapshot)]] : [])]);
}

/** A running chain does not end because its spec no longer names the snapshot that it began from. */
function isReleased(path: string, after: ChainMembers): boolean {
  return path === fromPath && after[path] === undefined;
}

type Named = [name: string, value: unknown];

/** Omits defaults, so that naming one changes nothing. */
function membersOf(name: string, value: unknown, chain: ChainSpec): Named[] {
  if (value === undefined || isWithoutEffect(name, chain)) return [];
  if (name === 'developmentAccounts' && value === false) return [];
  if (name === 'forking') return forkOf(chain);
  if (name === 'participants') return participantsOf(chain.ethereum?.participants ?? []);
  return [[name, value]];
}

const ofTheBeaconChain: ReadonlySet<string> = new Set([...consensusFields, 'participants']);

/**
 * The chain id and the profile are compared with those in use. Plugins come and go beside the running chain, and how much history is
 * kept is up to the next process.
 */
const besideTheChain: ReadonlySet<string> = new Set([
  ...['chainID', 'history', 'packageVersion', 'plugins', 'profile'],
]);

function isWithoutEffect(name: string, chain: ChainSpec): boolean {
  if (besideTheChain.has(name)) return true;
  return chain.type === 'Ethereum' && !hasParticipants(chain) && ofTheBeaconChain.has(name);
}

function forkOf(chain: ChainSpec): Named[] {
  const forking = forkingOf(chain);
  if (!forking) return [];
  const { blockHeight = 'latest', sourceRef } = forking;
  return [['forking', sourceRef ? [blockHeight, sourceRef.name] : blockHeight]];
}

/** What new pods of the same participants may have. */
const clientSettings = ['elImage', 'elExtraArgs', 'clImage', 'clExtraArgs'] as const;

function participantsOf(participants: readonly EthereumParticipantSpec[]): Named[] {
  const kinds = participants.map(
    ({
      elType = defaultParticipant.elType,
      clType = defaultParticipant.clType,
      count = defaultParticipant.count,
    }) => [elType, clType, count],
  );
  const values = participants.flatMap((participant, index) =>
    clientSettings.map((name): Named => [`participants[${index}].${name}`, participant[name]]),
  );
  return [['participants', kinds], ...values.filter(([, value]) => value !== undefined)];
}

/** Members that another pod takes over with the chain's data. */
const takenOverByPods =
  /^spec\.chain\.(thorchain\.image|ethereum\.(gasLimit|participants\[\d+\]\.(el|cl)(Image|ExtraArgs)))$/;

interface EngineFacts {
  chain: ChainSpec;
  isKept: boolean;
  isReal: boolean;
}

function effectOf(path: string, { chain, isKept, isReal }: EngineFacts): ChainEffect {
  const isTaken = isSetting(path, chain);
  if (isTaken && !isReal && !hasParticipants(chain)) return 'adjust';
  return isKept && (takenOverByPods.test(path) || (isTaken && isReal)) ? 'newPods' : 'newChain';
}

function isSetting(path: string, { type }: ChainSpec): boolean {
  const { member } = chainTypes[type];
  return isEvmChain(type) && adjustableNames.some((name) => path === `spec.chain.${member}.${name}`);
}

/** The path of a chain id that is not the one in use; a spec that names none keeps it. */
function changedChainId(used: string | undefined, chain: ChainSpec): string | undefined {
  const { member } = chainTypes[chain.type];
  const spec = chain[member];
  const named = spec && 'chainID' in spec ? spec.chainID : undefined;
  if (named === undefined || used === undefined || named === used) return undefined;
  return `spec.chain.${member}.chainID`;
}

/** The path of a profile that is not the one in use; a spec that names none keeps it. */
function changedProfile(
  { status, spec }: Pick<NetworkResource, 'status' | 'spec'>,
  next: ChainSpec,
): string | undefined {
  const used = begunProfile(next, status) ?? profileOf(spec.chain, status);
  return profileOf(next, status) === used ? undefined : profilePath(next);
}
