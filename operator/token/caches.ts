import { idIndex, originIndex } from '../../core/api/ids.ts';
import { tokenType } from '../../core/api/resources/resources.ts';
import type { TokenResource } from '../../core/api/resources/tokenResource.ts';
import { createReflector, type Reflector, type ReflectorOptions } from '../../core/kube/cache/reflector.ts';

/** All tokens, by uid and by network (`namespace/name`). Not started yet. */
export function createTokenCache(
  options: Pick<
    ReflectorOptions<TokenResource>,
    'kube' | 'clock' | 'log' | 'kubeMetrics' | 'namespace' | 'tap'
  >,
): Reflector<TokenResource> {
  return createReflector({
    ...options,
    type: tokenType,
    indexes: {
      uid: ({ metadata }) => [metadata.uid],
      ...idIndex,
      ...originIndex,
      network: ({ metadata, spec }) =>
        spec.deployments.map(({ network }) => `${metadata.namespace}/${network}`),
    },
  });
}
