import { createFakeKube, type FakeKube } from '../../../core/kube/testing/fake/fake.ts';
import {
  type ChainScene,
  createChainScene,
  type SceneNetwork,
  sceneSealer,
} from '../../../core/outbox/testing/scene.ts';
import { startTestApi, type TestApi } from '../../testing/harness.ts';

/** The REST API over a fake Kube and the networks of a scene; ben is in another workspace. */
export interface SubmitApi {
  kube: FakeKube;
  scene: ChainScene;
  api: TestApi;
  first: SceneNetwork;
  second: SceneNetwork;
  stop(): Promise<void>;
}

export async function startSubmitApi(): Promise<SubmitApi> {
  const kube = createFakeKube();
  const scene = await createChainScene(kube);
  const [first, second] = await Promise.all([scene.addNetwork('first'), scene.addNetwork('second')]);
  const ben = { userId: 'ben', workspaceId: 'two', namespace: 'ws-two' };
  const { upstreams } = scene;
  const api = await startTestApi({ kube, users: [scene.user, ben], upstreams, sealer: sceneSealer });
  const stop = async () => {
    await api.close();
    await scene.stop();
  };
  return { kube, scene, api, first, second, stop };
}
