import type { NetworkInput, NetworkResource } from '../../core/api/resources/network.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { withUserLabels } from '../../core/api/userLabels.ts';
import { updatedAtAnnotation } from '../../core/api/views/networkView.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import { AppError, isAppError } from '../../core/lib/errors.ts';
import { stableJson } from '../../core/lib/hash.ts';
import { changeWarning } from '../../core/networks/chainChange.ts';
import { stamped } from '../../core/tracing/stamps.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { revisionsOf } from '../http/pipeline/ifMatch.ts';
import { checkIdentity, checkRevision } from '../http/pipeline/replacement.ts';
import { notFound } from '../store/find.ts';
import { forCaller } from '../store/kubeErrors.ts';
import { answerNetwork } from './answer.ts';
import { checkSpec } from './check.ts';
import type { NetworkDeps } from './deps.ts';
import { joined, missingSecrets } from './warnings.ts';

/** The operator writes status and finalizers concurrently; each such write costs one more attempt. */
const maxAttempts = 20;
/** Maximum random pause between attempts, so that two conflicting writers do not collide again. */
const maxPauseMs = 20;

/** Replaces the whole spec. If a revision is given (metadata.rev or If-Match), it must still be the current one. */
export function replaceNetwork(deps: NetworkDeps): Handler<'replaceNetwork'> {
  return async ({ principal, params, body, ifMatch, isDryRun }) => {
    const allowedRevs = revisionsOf(ifMatch);
    const found = await deps.find(principal.namespace, params.id);
    for (let attempt = 1; ; attempt++) {
      const current = await forCaller(deps.kube.get(networkType, found.metadata));
      if (!current || current.metadata.uid !== found.metadata.uid) throw notFound('Network');
      const wanted = withRotation(current, body);
      const next = withSpec(deps, current, wanted);
      const isApplied = next === current;
      checkReplacement(deps, current, {
        namespace: principal.namespace,
        body: wanted,
        allowedRevs,
        isApplied,
      });
      const warning = changeWarning(current, body.spec);
      if (isDryRun) return { ...answerNetwork(deps, next, principal), warning };
      const missing = missingSecrets(deps, {
        namespace: principal.namespace,
        spec: body.spec,
        current: current.spec,
      });
      const attempted = deps.kube.replace(networkType, next);
      const replaced = await forCaller(attempted).catch((error: unknown) => {
        if (!isAppError(error, 'Conflict')) throw error;
        if (attempt === maxAttempts) throw isBusy(error);
      });
      if (replaced) {
        deps.touch(replaced);
        return { ...answerNetwork(deps, replaced, principal), warning: joined([warning, missing]) };
      }
      await deps.clock.sleep(Math.random() * maxPauseMs);
    }
  };
}

/** A requested rotation of access keys is not withdrawn by a spec that was written before it. */
function withRotation(
  { spec: { accessKeyRotation } }: Stored<NetworkResource>,
  body: NetworkInput,
): NetworkInput {
  return { ...body, spec: { ...compact({ accessKeyRotation }), ...body.spec } };
}

interface Replacement {
  namespace: string;
  body: NetworkInput;
  /** The revisions of If-Match; undefined without it. */
  allowedRevs: number[] | undefined;
  isApplied: boolean;
}

/** Refuses what may not take the place of `current`. */
function checkReplacement(
  deps: NetworkDeps,
  current: Stored<NetworkResource>,
  { namespace, body, ...revision }: Replacement,
): void {
  const { metadata, spec } = current;
  checkIdentity(current, body, [['spec.chain.type', body.spec.chain.type, spec.chain.type]]);
  checkSpec(deps, { namespace, name: metadata.name, spec: body.spec, current });
  if (metadata.deletionTimestamp)
    throw new AppError('Conflict', 'the network is being deleted and cannot be changed');
  checkRevision('network', current, { body, ...revision });
}

function isBusy(cause: AppError): AppError {
  return new AppError('Unavailable', 'the network is being modified concurrently; retry', {
    cause,
    retryAfterSeconds: 1,
  });
}

function withSpec(
  { clock }: NetworkDeps,
  current: Stored<NetworkResource>,
  body: NetworkInput,
): Stored<NetworkResource> {
  const given = body.metadata?.labels;
  const labels = given ? withUserLabels(current, given) : (current.metadata.labels ?? {});
  const before = [current.spec, current.metadata.labels ?? {}];
  if (stableJson(before) === stableJson([body.spec, labels])) return current;
  const updatedAt = toRfc3339(clock.nowMs());
  const annotations = { ...current.metadata.annotations, [updatedAtAnnotation]: updatedAt };
  return stamped({ ...current, metadata: { ...current.metadata, annotations, labels }, spec: body.spec });
}
