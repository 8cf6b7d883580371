import { operations } from '../../core/api/operations/operations.ts';
import type { SecretBody, SecretResource } from '../../core/api/resources/secret.ts';
import { ownerOf } from '../../core/api/views/objectMeta.ts';
import { describeSecret, readSecretField, toSecret } from '../../core/api/views/secretView.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { messageOf } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import type { Principal } from '../http/auth/principal.ts';
import { listPage } from '../http/paging/list.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { etagOf } from '../http/pipeline/ifMatch.ts';
import type { SecretDeps } from './deps.ts';
import { openData } from './mapping.ts';
import { mayReadData } from './mayReadData.ts';

/** One secret, with its data for whoever may read that. */
export function getSecret({ find, sealer }: SecretDeps): Handler<'getSecret'> {
  return async ({ principal, params }) => {
    const resource = await find(principal.namespace, params.id);
    const body = toSecret(resource, principal.workspaceId);
    return {
      body: mayReadData(principal, resource) ? { ...body, data: openData(resource, sealer) } : body,
      etag: etagOf(resource.metadata.generation ?? 0),
      objects: [describeSecret(resource)],
    };
  };
}

/**
 * The caller's secrets by name, with their data. A selector on metadata.ownerID searches the whole workspace, but the
 * data is still only shown for the caller's own secrets, if it may be read at all.
 */
export function listSecrets(deps: SecretDeps): Handler<'listSecrets'> {
  return async ({ principal, query, log }) => {
    const own = (resource: Stored<SecretResource>) => ownerOf(resource) === principal.userId;
    const { json, items } = listPage(
      {
        kind: 'SecretList',
        version: 'v1alpha',
        endpoint: 'listSecrets',
        principal,
        query,
        selectable: operations.listSecrets.selectable,
        itemsFor(clauses) {
          const all = deps.cache.inNamespace(principal.namespace);
          return clauses.some(({ field }) => field === 'metadata.ownerID') ? all : all.filter(own);
        },
        keyOf: ({ metadata }) => metadata.name,
        readField: readSecretField,
        toJson: (resource) => JSON.stringify(toItem(deps, resource, { principal, log })),
      },
      deps.cursors,
    );
    return { json, objects: items.map(describeSecret) };
  };
}

/** A secret that cannot be unsealed must not hide the others: it is listed without its data. */
function toItem(
  { sealer }: SecretDeps,
  resource: Stored<SecretResource>,
  { principal, log }: { principal: Principal; log: Log },
): SecretBody {
  const body = toSecret(resource, principal.workspaceId);
  if (!mayReadData(principal, resource)) return body;
  try {
    return { ...body, data: openData(resource, sealer) };
  } catch (error) {
    log.error('cannot unseal a secret; listing it without its data', { reason: messageOf(error) });
    return body;
  }
}
