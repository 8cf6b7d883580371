import { originOf } from '../../core/api/ids.ts';
import type { DeploymentStatus, TokenResource, TokenStatus } from '../../core/api/resources/tokenResource.ts';
import type { EventContent } from '../../core/kube/events/recorder.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { cut } from '../../core/lib/text/foreignText.ts';
import { memberPatch, type Readiness, readyCondition } from '../runtime/status.ts';

/** The patch that updates the deployments in a token's status; undefined when they are up to date. */
export function statusPatchOf(
  token: Stored<TokenResource>,
  deployments: DeploymentStatus[],
  nowMs: number,
): object | undefined {
  const desired: TokenStatus = {
    deployments,
    origin: originOf(token),
    deployed: `${deployedOf(deployments)}/${deployments.length}`,
    observedGeneration: token.metadata.generation ?? 0,
    conditions: [readyCondition(token, readinessOf(deployments), nowMs)],
  };
  const patch = memberPatch(token.status, { ...desired });
  return patch && { ...patch, updatedAt: toRfc3339(nowMs) };
}

const deployedOf = (deployments: readonly DeploymentStatus[]) =>
  deployments.filter(({ state }) => state === 'Deployed').length;

function readinessOf(deployments: readonly DeploymentStatus[]): Readiness {
  const worst = (['Error', 'Lost', 'Pending', 'Deploying'] as const)
    .map((state) => deployments.find((one) => one.state === state))
    .find((one) => one !== undefined);
  const count = `${deployedOf(deployments)} of ${deployments.length} deployed`;
  const open = worst ?? deployments.find(({ message }) => message !== undefined);
  if (!open) return { isReady: true, reason: 'Deployed', message: count };
  const { state, network } = open;
  const reason = state === undefined || state === 'Deployed' ? 'NotConnected' : reasons[state];
  const message = cut(`${count}; ${network}: ${open.message ?? state}`, 1024);
  return { isReady: false, reason, message };
}

/** Of Events and of the Ready condition, by the state of a deployment. */
const reasons = {
  Pending: 'Waiting',
  Deploying: 'Deploying',
  Deployed: 'Deployed',
  Lost: 'DeploymentLost',
  Error: 'DeploymentFailed',
} as const;

/** The part of a change worth an Event: deployments with a new state, or whose failure has a new reason. */
export function eventsOf(
  before: readonly DeploymentStatus[],
  after: readonly DeploymentStatus[],
): EventContent[] {
  return after.flatMap((next): EventContent[] => {
    const { state = 'Pending', network, message, tokenAddress } = next;
    const former = before.find((one) => one.network === network);
    const isBad = state === 'Lost' || state === 'Error';
    const isNews = former?.state !== state || (isBad && former.message !== message);
    if (!isNews) return [];
    const eventMessage =
      state === 'Deployed' ? `${network}: deployed at ${tokenAddress}` : `${network}: ${message ?? state}`;
    return [{ type: isBad ? 'Warning' : 'Normal', reason: reasons[state], message: eventMessage }];
  });
}

/** Replaces one deployment of a token, if it is still the same one. */
export function withDeployment(
  deployments: readonly DeploymentStatus[],
  from: DeploymentStatus,
  change: (present: DeploymentStatus) => DeploymentStatus,
): DeploymentStatus[] {
  return deployments.map((one) => {
    const isSame =
      one.network === from.network &&
      one.attempt === from.attempt &&
      one.incarnation === from.incarnation &&
      one.observedNonce === from.observedNonce &&
      one.state !== 'Lost';
    return isSame ? change(one) : one;
  });
}
