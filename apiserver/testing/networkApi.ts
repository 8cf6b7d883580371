import { networkType } from '../../core/api/resources/resources.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { type Answer, startTestApi, type TestApi, type TestApiOptions } from './harness.ts';

export const users = [
  { userId: 'ann', workspaceId: 'one', namespace: 'ws-one' },
  { userId: 'ben', workspaceId: 'two', namespace: 'ws-two' },
] as const;
export const spec = { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'hot-key' } } } };
/** A well-formed id that does not exist. */
export const unknownId = '00000000-0000-4000-8000-000000000000';

/** The REST API over an empty fake Kube, with shortcuts for tests of networks. */
export interface NetworkApi extends TestApi {
  kube: FakeKube;
  create(name: string, more?: object): Promise<Answer['json']>;
  put(id: string, body: object, headers?: Record<string, string>): Promise<Answer>;
  remove(id: string): Promise<Answer>;
  /** The stored resource in ann's workspace. */
  stored(name: string): ReturnType<typeof readStored>;
}

export async function startNetworkApi(
  options: Pick<TestApiOptions, 'ownSources' | 'engines' | 'limits'> = {},
): Promise<NetworkApi> {
  const kube = createFakeKube();
  const api = await startTestApi({ ...options, kube, users });
  return {
    ...api,
    kube,
    create: async (name, more = {}) =>
      (await api.request('/v1alpha/networks', { body: { name, spec, ...more } })).json,
    put: (id, body, headers = {}) => api.request(`/v1alpha/networks/${id}`, { method: 'PUT', body, headers }),
    remove: (id) => api.request(`/v1alpha/networks/${id}`, { method: 'DELETE' }),
    stored: (name) => readStored(kube, name),
  };
}

function readStored(kube: FakeKube, name: string) {
  return kube.get(networkType, { namespace: 'ws-one', name });
}
