import { nameOf } from '../../core/api/common.ts';
import { idOf } from '../../core/api/ids.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { creationWarning } from '../../core/networks/chainChange.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { createNamed } from '../store/createOnce.ts';
import { answerNetwork } from './answer.ts';
import { checkSpec } from './check.ts';
import type { NetworkDeps } from './deps.ts';
import { toNewResource } from './mapping.ts';
import { joined, missingSecrets } from './warnings.ts';

/**
 * Creates the resource and answers immediately. A secret that the spec names need not exist yet: as with kubectl,
 * objects may be created in any order. A warning names it, and the operator continues once it exists. Only the secret
 * of a fork source must exist.
 */
export function createNetwork(deps: NetworkDeps): Handler<'createNetwork'> {
  return async ({ principal, body, isDryRun, idempotencyMark: mark }) => {
    const { namespace } = principal;
    const wantedNetwork = { name: nameOf(body) ?? '', spec: body.spec, labels: body.metadata?.labels };
    const resource = toNewResource(wantedNetwork, principal);
    checkSpec(deps, { namespace, name: resource.metadata.name, spec: body.spec });
    const wanted = { type: networkType, object: resource, mark, isDryRun };
    const created = await createNamed(deps.kube, wanted, (name) => whyTaken(deps, namespace, name));
    return {
      ...answerNetwork(deps, created, principal),
      location: `/v1alpha/networks/${idOf(created)}`,
      // Manifests are checked before the secrets among them are there.
      warning: joined([
        creationWarning(body.spec),
        isDryRun ? undefined : missingSecrets(deps, { namespace, spec: body.spec }),
      ]),
    };
  };
}

function whyTaken({ cache }: NetworkDeps, namespace: string, name: string): string {
  const isLeaving = cache.byName(namespace, name)?.metadata.deletionTimestamp !== undefined;
  return isLeaving
    ? 'is still being deleted: wait or use another name'
    : 'already exists in this workspace: use another name';
}
