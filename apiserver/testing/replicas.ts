import { randomBytes } from 'node:crypto';
import type { Kube } from '../../core/kube/kube.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { startTestApi } from './harness.ts';

/** Two replicas over one Kube with two users, `ann` and `ben`, who each have a workspace. */
export async function startReplicas(kube: Kube) {
  const suffix = randomBytes(4).toString('hex');
  const [one, two] = [`rest-one-${suffix}`, `rest-two-${suffix}`];
  for (const name of [one, two]) {
    await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  const users = [
    { userId: 'ann', workspaceId: 'one', namespace: one },
    { userId: 'ben', workspaceId: 'two', namespace: two },
  ];
  const [api, replica] = [await startTestApi({ kube, users }), await startTestApi({ kube, users })];
  return {
    /** The namespaces of ann and of ben. */
    one,
    two,
    api,
    replica,
    async stop() {
      await Promise.all([api.close(), replica.close()]);
      for (const name of [one, two]) await kube.delete(namespaceType, { name });
    },
  };
}
