import { credentialsOf, startTestApi } from '../../apiserver/testing/harness.ts';
import { createChainScene, sceneSealer } from '../../core/outbox/testing/scene.ts';
import { startBed } from './bed.ts';

/** A bed with the networks of one user and the API in front of them, all in this process. */
export async function startChainBed() {
  const bed = await startBed();
  const { kube } = bed;
  const scene = await createChainScene(kube);
  const { user, upstreams } = scene;
  const api = await startTestApi({ kube, users: [user], upstreams, sealer: sceneSealer });
  return {
    kube,
    scene,
    /** The URL of the Transaction API. */
    url: `${api.url}/transaction/v1alpha1/transaction`,
    /** The user's headers for requests with a JSON body. */
    headers: { ...credentialsOf(user.userId), 'Content-Type': 'application/json' },
    async stop() {
      await api.close();
      await scene.stop();
      await bed.stop();
    },
  };
}
