import { hasId, idOf } from '../../core/api/ids.ts';
import { isEvmChain } from '../../core/api/resources/chainSpecs.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { DeploymentStatus, TokenSpec } from '../../core/api/resources/tokenResource.ts';
import { addressSchema, usedAddressSchema } from '../../core/api/values.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import { shortHashOf } from '../../core/lib/hash.ts';
import { chainStanding } from '../../core/networks/incarnation.ts';

export type DeploymentEntry = TokenSpec['deployments'][number];

interface Case {
  entry: DeploymentEntry;
  before: DeploymentStatus | undefined;
  /** The network of that name in the token's namespace. */
  network: Stored<NetworkResource> | undefined;
}

/** What is lost when a network starts another chain. */
type Chainless = Pick<DeploymentStatus, 'network' | 'observedNonce' | 'attempt' | 'argsHash'>;

/**
 * The state of a deployment, from the spec and the status of its network: a pure function. The run on the chains makes
 * deployments; here they start, wait, and are lost.
 */
export function deploymentStateOf({ entry, before, network }: Case): DeploymentStatus {
  const present = desiredDeployment(entry, before);
  // One that never began waits for its network: a manifest may come before that of the network.
  if (present.state === 'Lost' && present.enclaveID !== undefined) return present;
  const wantedId = entry.networkID ?? (present.enclaveID === undefined ? undefined : present.networkID);
  const isThere =
    network !== undefined &&
    !network.metadata.deletionTimestamp &&
    (wantedId === undefined || hasId(network, wantedId));
  if (!isThere) return withoutNetwork(entry, present);
  const { type } = network.spec.chain;
  if (!isEvmChain(type)) {
    return {
      ...present,
      state: 'Error',
      message: `${type} networks do not support tokens: name EVM networks`,
    };
  }
  const problem = wrongAddress(entry);
  if (problem !== undefined) return { ...chainless(present), state: 'Error', message: problem };
  return present.enclaveID === undefined ? beginning(present, network) : onStartedChain(present, network);
}

/** kube-apiserver cannot compute a checksum. */
function wrongAddress({ args = {} }: DeploymentEntry): string | undefined {
  const wrong = Object.entries(args).find(
    ([, value]) => addressSchema.safeParse(value).success && !usedAddressSchema.safeParse(value).success,
  );
  if (!wrong) return undefined;
  const [issue] = usedAddressSchema.safeParse(wrong[1]).error?.issues ?? [];
  return `spec.deployments[].args.${wrong[0]} ${issue?.message}`;
}

/** The deployment that is desired now: the previous one, the same one again, or a new one. */
function desiredDeployment(entry: DeploymentEntry, before: DeploymentStatus | undefined): DeploymentStatus {
  const { nonce = 0, args = {} } = entry;
  const argsHash = shortHashOf(args);
  const fresh: DeploymentStatus = {
    network: entry.network,
    ...compact({ networkID: entry.networkID }),
    state: 'Pending',
    observedNonce: nonce,
    attempt: shortHashOf([nonce, args]),
    argsHash,
  };
  if (!before?.attempt) return fresh;
  const isOther =
    entry.networkID !== undefined && before.networkID !== undefined && entry.networkID !== before.networkID;
  if (!isOther && nonce === (before.observedNonce ?? 0)) return before;
  // Contracts that are already deployed are kept.
  const isComplete = before.state !== 'Error' && !isIncomplete(before);
  if (isOther || isComplete || before.argsHash !== argsHash) return fresh;
  const state = before.state === 'Deployed' ? 'Deployed' : 'Deploying';
  return { ...before, state, observedNonce: nonce, isRepaired: true, message: 'retrying' };
}

/** A deployed token that is not connected to all others, or of which something was undone. */
const isIncomplete = ({ state, message }: DeploymentStatus) => state === 'Deployed' && message !== undefined;

function withoutNetwork(entry: DeploymentEntry, present: DeploymentStatus): DeploymentStatus {
  const isBegun = present.enclaveID !== undefined;
  if (isBegun) return lost(present, 'the network was deleted, and the token with it');
  if (entry.networkID !== undefined)
    return lost(
      present,
      `no network "${entry.network}" of this workspace has the id ${entry.networkID}: it was deleted, or is not there yet`,
    );
  return {
    ...present,
    state: 'Pending',
    message: `network "${entry.network}" does not exist in this workspace: create it`,
  };
}

function beginning(present: DeploymentStatus, network: Stored<NetworkResource>): DeploymentStatus {
  const { state = 'Pending', enclaveID } = network.status ?? {};
  const networkID = idOf(network);
  if (state !== 'Operational' || enclaveID === undefined) {
    return { ...present, networkID, state: 'Pending', message: `waiting for the network, which is ${state}` };
  }
  return {
    ...present,
    networkID,
    state: 'Deploying',
    enclaveID,
    incarnation: enclaveID,
    message: 'deploying',
  };
}

/** A deployment that was started on a chain: checks whether that chain still exists. */
function onStartedChain(present: DeploymentStatus, network: Stored<NetworkResource>): DeploymentStatus {
  const standing = chainStanding(network, { incarnation: present.enclaveID });
  const isStopped = standing === 'stopped' || standing === 'stopping';
  // The chain of an unverified network may have what was sent: the run asks it.
  if (!isStopped && standing !== 'replaced') return present;
  const was = isStopped ? 'was stopped and lost its data' : 'began a new chain';
  if (present.state !== 'Deploying')
    return lost(present, `the network ${was}: the token is gone; deploy it again`);
  return beginning(chainless(present), network);
}

function chainless({ network, observedNonce, attempt, argsHash }: DeploymentStatus): Chainless {
  return {
    network,
    ...compact({ observedNonce, attempt, argsHash }),
  };
}

export function lost({ isRepaired: _, ...present }: DeploymentStatus, message: string): DeploymentStatus {
  return { ...present, state: 'Lost', message };
}

/** Whether a deployment needs steps on the chain. */
export function isOpen(one: DeploymentStatus): boolean {
  return one.state === 'Deploying' || one.state === 'Error' || isIncomplete(one);
}

/** Whether somebody asked for a deployment that is not there yet: only then is repeated what failed or was undone. */
export function isAsked({ state, isRepaired = false }: DeploymentStatus): boolean {
  return state === 'Deploying' || isRepaired;
}

/** Whether a network runs another incarnation since a deployment was seen on it: it may have kept its data or not. */
export function isUnverified(
  status: DeploymentStatus,
  network: Stored<NetworkResource> | undefined,
): boolean {
  if (status.enclaveID === undefined) return false;
  const standing = chainStanding(network, { incarnation: status.enclaveID });
  return standing === 'unverified' || standing === 'replaced';
}
