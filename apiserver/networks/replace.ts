import type { NetworkInput, NetworkResource } from '../../core/api/resources/network.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { withUserLabels } from '../../core/api/userLabels.ts';
import { idOf, revOf, updatedAtAnnotation } from '../../core/api/views/networkView.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import { AppError, type ErrorDetail, isAppError } from '../../core/lib/errors.ts';
import { stableJson } from '../../core/lib/hash.ts';
import { changeWarning } from '../../core/networks/chainChange.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { revisionsOf } from '../http/pipeline/ifMatch.ts';
import { notFound } from '../store/find.ts';
import { forCaller } from '../store/kubeErrors.ts';
import { answerNetwork } from './answer.ts';
import { checkSpec } from './check.ts';
import type { NetworkDeps } from './deps.ts';

/** The operator writes status and finalizers concurrently; each such write costs one more attempt. */
const maxAttempts = 20;
/** Maximum random pause between attempts, so that two conflicting writers do not collide again. */
const maxPauseMs = 20;

/** Replaces the whole spec. If a revision is given (metadata.rev or If-Match), it must still be the current one. */
export function replaceNetwork(deps: NetworkDeps): Handler<'replaceNetwork'> {
  return async ({ principal, params, body, ifMatch }) => {
    const allowedRevs = revisionsOf(ifMatch);
    const found = await deps.find(principal.namespace, params.id);
    for (let attempt = 1; ; attempt++) {
      const current = await forCaller(deps.kube.get(networkType, found.metadata));
      if (!current || current.metadata.uid !== params.id) throw notFound('Network');
      const wanted = withRotation(current, body);
      await checkReplacement(deps, current, { namespace: principal.namespace, body: wanted, allowedRevs });
      const attempted = deps.kube.replace(networkType, withSpec(deps, current, wanted));
      const replaced = await forCaller(attempted).catch((error: unknown) => {
        if (!isAppError(error, 'Conflict')) throw error;
        if (attempt === maxAttempts) throw isBusy(error);
      });
      if (replaced) {
        deps.cache.observe(replaced);
        deps.touch(replaced);
        return {
          ...answerNetwork(deps, replaced, principal),
          warning: changeWarning(current, body.spec),
        };
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
}

/** Refuses what may not take the place of `current`. */
async function checkReplacement(
  deps: NetworkDeps,
  current: Stored<NetworkResource>,
  { namespace, body, allowedRevs }: Replacement,
): Promise<void> {
  checkIdentity(current, body);
  await checkSpec(deps, { namespace, name: current.metadata.name, spec: body.spec, current });
  checkRevision(current, body.metadata?.rev === undefined ? undefined : [body.metadata.rev]);
  checkRevision(current, allowedRevs);
}

/** The identity of a network is immutable: its id, its name, its chain type. */
function checkIdentity(current: Stored<NetworkResource>, body: NetworkInput): void {
  const { name } = current.metadata;
  const chainType = current.spec.chain.type;
  const rules: [path: string, given: string | undefined, actual: string][] = [
    ['id', body.id, idOf(current)],
    ['name', body.name, name],
    ['metadata.name', body.metadata?.name, name],
    ['spec.chain.type', body.spec.chain.type, chainType],
  ];
  const details: ErrorDetail[] = rules
    .filter(([, given, actual]) => given !== undefined && given !== actual)
    .map(([path, , actual]) => ({ path, message: `is immutable: send "${actual}" or omit it` }));
  if (details.length === 0) return;
  const list = details.map(({ path, message }) => `${path} ${message}`).join('; ');
  throw new AppError('BadRequest', `the request changes immutable fields: ${list}`, { details });
}

function checkRevision(current: Stored<NetworkResource>, allowed: number[] | undefined): void {
  if (current.metadata.deletionTimestamp)
    throw new AppError('Conflict', 'the network is being deleted and cannot be changed');
  const rev = revOf(current);
  if (allowed === undefined || allowed.includes(rev)) return;
  throw new AppError(
    'Conflict',
    `the network was modified; its revision is now ${rev}: read it again and apply your change to that revision`,
  );
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
  return { ...current, metadata: { ...current.metadata, annotations, labels }, spec: body.spec };
}
