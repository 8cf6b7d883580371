import { decodeSecretData, warningAboutSecret } from '../../core/accounts/secretData.ts';
import { nameOf } from '../../core/api/common.ts';
import { idOf } from '../../core/api/ids.ts';
import { secretType } from '../../core/api/resources/resources.ts';
import { describeSecret, toSecret } from '../../core/api/views/secretView.ts';
import { compact } from '../../core/lib/compact.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { etagOf } from '../http/pipeline/ifMatch.ts';
import { createNamed } from '../store/createOnce.ts';
import type { SecretDeps } from './deps.ts';
import { toNewResource } from './mapping.ts';

/** Validates and seals the data, then creates the resource. Plain bytes leave the process only in the answer. */
export function createSecret({ kube, sealer }: SecretDeps): Handler<'createSecret'> {
  return async ({ principal, body, isDryRun, idempotencyMark: mark }) => {
    const { type, data } = body;
    const name = nameOf(body) ?? '';
    const bytes = decodeSecretData(data);
    const warning = warningAboutSecret(type, bytes);
    const sealed = sealer.seal(bytes, {
      namespace: principal.namespace,
      name,
      owner: principal.userId,
    });
    bytes.fill(0);
    const labels = body.metadata?.labels;
    const resource = toNewResource({ name, type, sealed, labels }, principal);
    const wanted = { type: secretType, object: resource, mark, isDryRun };
    const created = await createNamed(kube, wanted);
    return {
      body: { ...toSecret(created, principal.workspaceId), data },
      location: `/v1alpha/secrets/${idOf(created)}`,
      etag: etagOf(created.metadata.generation ?? 0),
      ...compact({ warning }),
      objects: [describeSecret(created)],
    };
  };
}
