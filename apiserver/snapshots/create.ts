import { nameOf } from '../../core/api/common.ts';
import { idOf } from '../../core/api/ids.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { snapshotType } from '../../core/api/resources/resources.ts';
import type { SnapshotResource } from '../../core/api/resources/snapshot.ts';
import { countRefusal } from '../../core/api/rules/snapshotBudget.ts';
import { snapshotRefusal } from '../../core/api/rules/snapshots.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { AppError, budgetUsedUp, type ErrorReason } from '../../core/lib/errors.ts';
import { isRunning } from '../../core/networks/incarnation.ts';
import { isDown } from '../../core/networks/wake.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { createNamed } from '../store/createOnce.ts';
import { forCaller } from '../store/kubeErrors.ts';
import type { SnapshotDeps } from './deps.ts';
import { toNewResource } from './mapping.ts';
import { answerSnapshot } from './read.ts';

/** How long the answer waits until the snapshot is Ready. */
const takenLimitMs = 20_000;

/** Creates the resource and waits until the operator has taken the snapshot; answers in any case. */
export function createNetworkSnapshot(deps: SnapshotDeps): Handler<'createNetworkSnapshot'> {
  return async ({ principal, params, body, random, idempotencyMark: mark }) => {
    const network = await deps.networks.find(principal.namespace, params.id);
    const name = nameOf(body) ?? `snapshot-${random('snapshot', 8).toString('hex')}`;
    checkNew(deps, network, name);
    const given = { name, network, labels: body.metadata?.labels };
    const object = toNewResource(given, principal);
    const created = await createNamed(deps.kube, { type: snapshotType, object, mark });
    deps.networks.touch(network);
    const isTaken = ({ metadata, status }: Stored<SnapshotResource>) =>
      metadata.uid === created.metadata.uid && status?.state !== undefined && status.state !== 'Pending';
    const taken = await deps.waitFor(isTaken, { timeoutMs: takenLimitMs });
    if (taken?.status?.state === 'Failed') throw await withdraw(deps, taken);
    const location = `/v1alpha/networks/${params.id}/snapshots/${idOf(created)}`;
    return { ...answerSnapshot(taken ?? created, principal), location };
  };
}

/** Refuses at once what the operator would refuse or wait for. */
function checkNew(deps: SnapshotDeps, network: Stored<NetworkResource>, name: string): void {
  const refusal = snapshotRefusal(network.spec.chain);
  if (refusal !== undefined) throw new AppError('BadRequest', refusal);
  if (!isRunning(network)) {
    const state = network.status?.state ?? 'Pending';
    const remedy = isDown(network) ? 'wake it first (POST …/wake)' : 'wait until it is Operational';
    throw new AppError('Conflict', `the network is ${state}, so no snapshot of it can be taken: ${remedy}`);
  }
  // One of the same name is an earlier attempt of this request, or a conflict anyway.
  const others = deps.cache
    .inNamespace(network.metadata.namespace)
    .filter(({ metadata }) => metadata.name !== name);
  const full = countRefusal(deps.quota, others);
  if (full !== undefined) throw budgetUsedUp(full);
}

const reasons: Partial<Record<string, ErrorReason>> = {
  TooLarge: 'TooLarge',
  QuotaExceeded: 'TooManyRequests',
};

/** Deletes a snapshot that failed, and returns the error that says why: its caller knows of no object. */
async function withdraw(
  deps: SnapshotDeps,
  { metadata, status }: Stored<SnapshotResource>,
): Promise<AppError> {
  await forCaller(deps.kube.delete(snapshotType, metadata, { uid: metadata.uid }));
  const reason = status?.conditions?.find(({ type }) => type === 'Ready')?.reason ?? '';
  const message = `no snapshot was taken: ${status?.message}`;
  return new AppError(reasons[reason] ?? 'Conflict', message, { isLasting: true });
}
