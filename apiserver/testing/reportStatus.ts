import type { KubeObject, ResourceType } from '../../core/api/resources/kubeObject.ts';
import { createReflector } from '../../core/kube/cache/reflector.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { isAppError } from '../../core/lib/errors.ts';
import { silentLog } from '../../core/lib/log.ts';

/** Two tenants, and somebody in the first workspace who may only read. */
export const tenants = [
  { userId: 'ann', workspaceId: 'one', namespace: 'ws-one' },
  { userId: 'ben', workspaceId: 'two', namespace: 'ws-two' },
  { userId: 'vic', workspaceId: 'one', namespace: 'ws-one', role: 'viewer' },
] as const;

/** In place of the operator: writes what `statusOf` returns for an object that changed. Returns what stops it. */
export function reportStatus<T extends KubeObject>(
  kube: Kube,
  type: ResourceType<T>,
  statusOf: (object: Stored<T>) => object | undefined,
): () => Promise<void> {
  const reflector = createReflector({ kube, type, log: silentLog, clock: systemClock });
  reflector.onChange(({ type: change, object }) => {
    const status = change === 'set' ? statusOf(object) : undefined;
    const { namespace = '', name } = object.metadata;
    if (!status) return;
    kube.patch(type, { namespace, name }, { status }, 'status').catch((error) => {
      // It may have been deleted meanwhile.
      if (!isAppError(error, 'NotFound')) throw error;
    });
  });
  reflector.start();
  return reflector.stop;
}
