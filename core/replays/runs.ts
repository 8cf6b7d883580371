import { apiVersion, labels } from '../api/names.ts';
import { controllerReferenceTo } from '../api/resources/kubeObject.ts';
import type { ReplayOrder, ReplayResource, ReplaySpec } from '../api/resources/replayResource.ts';
import type { Stored } from '../kube/kube.ts';
import { shortHashOf } from '../lib/hash.ts';

/** A run that is to be performed, or was. */
export type OrderedRun = Stored<ReplayResource> & { spec: { order: ReplayOrder } };

const prefix = 'replay-';

interface Owner {
  namespace: string;
  workspaceId: string;
  /** Whose default key signs. */
  userId: string;
}

/** A run that nobody has ordered yet. */
export function newRun(runId: string, { namespace, workspaceId, userId }: Owner): ReplayResource {
  const own = { [labels.workspace]: workspaceId, [labels.owner]: userId, [labels.role]: 'run' };
  const metadata = { name: `${prefix}${runId}`, namespace, labels: own };
  return { apiVersion, kind: 'Replay', metadata, spec: { role: 'run' } };
}

/** The inverse: idempotency keys of what a run sends begin with it. */
export const runIdOf = ({ metadata: { name } }: Stored<ReplayResource>): string => name.slice(prefix.length);

/** Runs of earlier versions have no order. */
export function isOrdered(run: Stored<ReplayResource> | undefined): run is OrderedRun {
  return run?.spec.order !== undefined;
}

/** Whether nobody works on it any more. */
export const isOver = ({ spec }: ReplayResource): boolean =>
  spec.finished === true || spec.failure !== undefined;

/** The name of an object of a run: it follows from its place, so that a repeated write makes no second one. */
export function pieceNameOf(run: Stored<ReplayResource>, network: string, place: number | string): string {
  return `${run.metadata.name}-${shortHashOf(network)}-${place}`;
}

/** An object of a run; Kubernetes deletes it with the run. */
export function newPiece(run: Stored<ReplayResource>, name: string, spec: ReplaySpec): ReplayResource {
  const { namespace, labels: given } = run.metadata;
  return {
    apiVersion,
    kind: 'Replay',
    metadata: {
      name,
      namespace,
      labels: { ...given, [labels.role]: spec.role },
      ownerReferences: [controllerReferenceTo(run)],
    },
    spec,
  };
}
