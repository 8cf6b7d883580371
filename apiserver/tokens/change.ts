import { tokenType } from '../../core/api/resources/resources.ts';
import type { TokenResource, TokenSpec } from '../../core/api/resources/tokenResource.ts';
import { updatedAtAnnotation } from '../../core/api/views/networkView.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { notFound } from '../store/find.ts';
import { updateLive } from '../store/updateLive.ts';
import type { TokenDeps } from './deps.ts';

type Deployments = TokenSpec['deployments'];

interface Change {
  token: Stored<TokenResource>;
  /** Of the request, if it has an Idempotency-Key. */
  mark?: string | undefined;
}

/**
 * Changes the desired deployments of a token. `change` gets the current token, and is called again on a conflict.
 * Throws NotFound if the token was deleted.
 */
export async function changeDeployments(
  { kube, clock }: Pick<TokenDeps, 'kube' | 'clock'>,
  { token: { metadata }, mark }: Change,
  change: (current: Stored<TokenResource>) => Deployments,
): Promise<Stored<TokenResource>> {
  const { namespace, name, uid } = metadata;
  const absent = () => notFound('Token');
  return updateLive(kube, { type: tokenType, namespace, name, mark, absent }, (current) => {
    if (current.metadata.uid !== uid) throw absent();
    const deployments = change(current);
    if (deployments === current.spec.deployments) return current;
    const annotations = { ...current.metadata.annotations, [updatedAtAnnotation]: toRfc3339(clock.nowMs()) };
    return {
      ...current,
      metadata: { ...current.metadata, annotations },
      spec: { ...current.spec, deployments },
    };
  });
}
