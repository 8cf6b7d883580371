import type { DeploymentStatus } from '../../core/api/resources/tokenResource.ts';
import { shortHashOf } from '../../core/lib/hash.ts';
import { cut } from '../../core/lib/text/foreignText.ts';

/** The beginning of messages that say what a deployment is not connected to. */
const waiting = 'waiting to be connected to ';

/** Says which networks a deployment is not connected to. */
export const waitingFor = (networks: readonly string[]) => `${waiting}${networks.join(', ')}`;

/**
 * What others are connected to: the hash of a deployment with all of its addresses; undefined while it has none. The list of
 * those that a deployment was verified to be connected to is complete when it has the hashes of all others.
 */
function identityOf(one: DeploymentStatus): string | undefined {
  const { state, networkID, incarnation, attempt, tokenAddress, extraAddresses = {} } = one;
  if (state !== 'Deployed') return undefined;
  return shortHashOf([networkID, incarnation, attempt, tokenAddress, extraAddresses]);
}

/** The others that a deployed one was not verified to be connected to, if its standard connects all networks. */
function missingOf(one: DeploymentStatus, all: readonly DeploymentStatus[]): DeploymentStatus[] {
  const { state, connected } = one;
  if (state !== 'Deployed' || !connected) return [];
  return all.filter((other) => {
    const isBegun = other.state === 'Deployed' || other.state === 'Deploying' || other.state === 'Error';
    return other !== one && isBegun && !connected.includes(identityOf(other) ?? '');
  });
}

/**
 * What a deployment was connected to before a run: nothing that is known, once its chain was rolled back. Earlier versions kept
 * no list: what they reported as deployed was connected to all others.
 */
export function connectionsBefore(
  one: DeploymentStatus,
  all: readonly DeploymentStatus[],
  isRolledBack: boolean,
): string[] {
  if (isRolledBack) return [];
  if (one.connected) return one.connected;
  if (one.state !== 'Deployed' || one.message !== undefined) return [];
  return all.flatMap((other) => (other === one ? [] : (identityOf(other) ?? [])));
}

/** The networks that a run worked on, and those of them on which all was done. */
interface Verified {
  planned: ReadonlySet<string>;
  done: ReadonlySet<string>;
}

/** Notes that each deployment on which all was done is connected to all others that the run worked on. */
export function withVerified(
  deployments: readonly DeploymentStatus[],
  { done, planned }: Verified,
): DeploymentStatus[] {
  return deployments.map((one) => {
    if (!done.has(one.network) || one.state !== 'Deployed') return one;
    const connected = deployments.flatMap((other) => {
      const identity = other === one ? undefined : identityOf(other);
      if (identity === undefined) return [];
      return planned.has(other.network) || one.connected?.includes(identity) ? [identity] : [];
    });
    return { ...one, connected };
  });
}

/**
 * The deployments, each with a message while it is not connected to all others: a deployed one without a message is complete. A
 * message about something else stays.
 */
export function withConnections(
  deployments: readonly DeploymentStatus[],
  isRunning: (network: string) => boolean,
): DeploymentStatus[] {
  return deployments.map((one) => {
    const { message, ...rest } = one;
    if (one.state !== 'Deployed' || (message !== undefined && !message.startsWith(waiting))) return one;
    const names = missingOf(one, deployments).map(({ network }) =>
      isRunning(network) ? network : `${network} (not running)`,
    );
    return names.length === 0 ? rest : { ...rest, message: cut(waitingFor(names), 1000) };
  });
}
