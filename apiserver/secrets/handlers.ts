import type { Handlers } from '../http/pipeline/handler.ts';
import { createSecret } from './create.ts';
import type { SecretDeps } from './deps.ts';
import { getSecret, listSecrets } from './read.ts';
import { deleteSecret } from './remove.ts';

/** The handlers of all secret operations. */
export function createSecretHandlers(deps: SecretDeps) {
  return {
    createSecret: createSecret(deps),
    listSecrets: listSecrets(deps),
    getSecret: getSecret(deps),
    deleteSecret: deleteSecret(deps),
  } satisfies Handlers;
}
