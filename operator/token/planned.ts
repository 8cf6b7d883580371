import type { DeploymentStatus, TokenResource } from '../../core/api/resources/tokenResource.ts';
import type { Step } from '../../core/deploy/step.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import { incarnationOf, isPresent, isRunning } from '../../core/networks/incarnation.ts';
import type { TokenNetwork } from '../../core/tokens/standard.ts';
import type { TokenDeps } from './deps.ts';

/** A deployment whose network runs. */
export interface PlannedDeployment {
  status: DeploymentStatus;
  network: TokenNetwork;
  /** For messages. */
  name: string;
  /** The network's current status.enclaveID. */
  enclaveID: string;
  /** Whether the chain no longer has the block that the deployment was verified on. */
  isRolledBack: boolean;
}

/** The started deployments of a token, on networks that run. */
export function plannedOf(
  { caches }: TokenDeps,
  { metadata, spec, status }: Stored<TokenResource>,
): PlannedDeployment[] {
  const { namespace } = metadata;
  return (status?.deployments ?? []).flatMap((one): PlannedDeployment[] => {
    const { networkID: id, incarnation, attempt, state } = one;
    const entry = spec.deployments.find(({ network }) => network === one.network);
    const found = caches.networks.get({ namespace, name: one.network });
    const enclaveID = incarnationOf(found);
    const isUsable = id !== undefined && isPresent(found, id) && isRunning(found);
    if (!entry || !id || !incarnation || !enclaveID || !isUsable) return [];
    if (state === 'Lost' || state === 'Pending') return [];
    const network = {
      id,
      incarnation,
      args: entry.args ?? {},
      ...compact({ deployment: attempt }),
    };
    return [{ status: one, network, name: one.network, enclaveID, isRolledBack: false }];
  });
}

/** Steps that belong to a network. */
export function stepsOn(steps: readonly Step[], id: string): Step[] {
  return steps.filter(({ network }) => network === id);
}
