import type { Handler } from '../../../apiserver/http/pipeline/handler.ts';
import { createOnce } from '../../../apiserver/store/createOnce.ts';
import { notFound } from '../../../apiserver/store/find.ts';
import { forCaller } from '../../../apiserver/store/kubeErrors.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { AppError, budgetUsedUp, isAppError } from '../../../core/lib/errors.ts';
import { maxKeys, type RpcKeyResource, rpcKeyType } from '../api/rpcKey.ts';
import { checkKey } from './check.ts';
import type { KeyDeps } from './deps.ts';
import { toResource, toRpcKey } from './mapping.ts';

/** How long an answer waits for the operator, and for other replicas. */
const begunLimitMs = 10_000;

export function listRpcKeys({ find, keys, clock }: KeyDeps): Handler<'listRpcKeys'> {
  return async ({ principal, params }) => {
    const network = await find(principal.namespace, params.id);
    const items = keysOf(keys, network).map((key) => toRpcKey(key, clock.nowMs()));
    return { body: { kind: 'RpcKeyList', version: 'v1alpha', items } };
  };
}

/** Answers once the operator has begun and every replica knows the key. */
export function createRpcKey(deps: KeyDeps): Handler<'createRpcKey'> {
  const { find, keys, kube, clock } = deps;
  return async ({ principal, params, body, idempotencyMark: mark }) => {
    const network = await find(principal.namespace, params.id);
    checkKey(deps, network, body);
    const { name } = body;
    checkBudget(keysOf(keys, network).filter(({ metadata }) => metadata.name !== name).length);
    const object = toResource(network, body, principal);
    const created = await createOnce(kube, { type: rpcKeyType, object, mark }).catch((error: unknown) => {
      throw isAppError(error, 'Conflict') ? nameTaken(keys, object.metadata, network) : error;
    });
    const begun = await whenBegun(deps, created);
    return { body: toRpcKey(begun ?? created, clock.nowMs()), objects: [`key ${name}`] };
  };
}

/** The key once it opens its network; undefined if the operator is away. Of several made at the same moment, those over the limit go. */
async function whenBegun(
  { keys, kube, untilKnown }: KeyDeps,
  created: Stored<RpcKeyResource>,
): Promise<Stored<RpcKeyResource> | undefined> {
  const { namespace, name, uid } = created.metadata;
  const hasBegun = ({ metadata, status }: Stored<RpcKeyResource>) =>
    metadata.uid === uid && status?.state !== undefined;
  const begun = await keys.waitFor(hasBegun, { timeoutMs: begunLimitMs });
  if (begun?.status?.state === 'Active') await untilKnown({ namespace, name, uid }, true);
  if (begun?.status?.state !== 'Error') return begun;
  await forCaller(kube.delete(rpcKeyType, created.metadata, { uid }));
  throw budgetUsedUp(begun.status.message ?? 'the key could not begin: create it again');
}

/** Answers once every replica has closed the key; 503 if one may still open it, which its watch ends. */
export function revokeRpcKey(deps: KeyDeps): Handler<'revokeRpcKey'> {
  const { find, keys, kube, clock } = deps;
  return async ({ principal, params: { id, name } }) => {
    const network = await find(principal.namespace, id);
    const key = keysOf(keys, network).find(({ metadata }) => metadata.name === name);
    if (!key) throw notFound('RpcKey');
    const { namespace, uid } = key.metadata;
    const wasThere = await forCaller(kube.delete(rpcKeyType, key.metadata, { uid }));
    if (!wasThere) throw notFound('RpcKey');
    if (!(await deps.untilKnown({ namespace, name, uid }, false))) throw notClosed(name);
    return { body: toRpcKey(key, clock.nowMs()), objects: [`key ${name}`] };
  };
}

function keysOf({ cache }: KeyDeps['keys'], { metadata }: Stored<NetworkResource>) {
  return cache.inNamespace(metadata.namespace).filter(({ spec }) => spec.network === metadata.name);
}

function checkBudget(count: number): void {
  if (count < maxKeys) return;
  throw budgetUsedUp(`the network has ${count} keys, which is the limit: revoke one`);
}

/** Names are unique in the workspace, so another network may have it. */
function nameTaken(
  { cache }: KeyDeps['keys'],
  { name, namespace }: RpcKeyResource['metadata'],
  { metadata }: Stored<NetworkResource>,
): AppError {
  const taken = cache.byName(namespace, name)?.spec.network;
  const other = taken === metadata.name ? ', of this network' : `, of the network "${taken}"`;
  const where = taken === undefined ? '' : other;
  const message = `a key named "${name}" already exists in this workspace${where}: use another name`;
  return new AppError('Conflict', message, { details: [{ path: 'name', message }] });
}

function notClosed(name: string): AppError {
  const message = `the key "${name}" is revoked, but a replica of the service does not answer and may open it for some seconds: try the URL`;
  return new AppError('Unavailable', message);
}
