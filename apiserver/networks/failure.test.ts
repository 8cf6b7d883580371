import { AppError } from '../../core/lib/errors.ts';
import { type NetworkApi, spec, startNetworkApi, unknownId } from '../testing/networkApi.ts';

let api: NetworkApi;
beforeEach(async () => {
  api = await startNetworkApi();
});
afterEach(() => api.close());

describe('when kube-apiserver does not answer', () => {
  const down = () =>
    api.kube.failNext({
      times: 1000,
      error: new AppError('Unavailable', 'kube-apiserver did not answer', { retryAfterSeconds: 2 }),
    });

  it('writes are 503 with Retry-After', async () => {
    const { id } = await api.create('a');
    const writes = [
      () => api.request('/v1alpha/networks', { body: { name: 'b', spec } }),
      () => api.put(id, { spec }),
      () => api.remove(id),
    ];
    down();
    for (const write of writes) {
      const { status, headers, json } = await write();
      expect(status).toBe(503);
      expect(headers.get('retry-after')).toBe('2');
      expect(json.reason).toBe('Unavailable');
    }
  });

  it('reads are answered from the cache, and are 503 if the cache does not have the object', async () => {
    const { id } = await api.create('a');
    down();
    expect((await api.request(`/v1alpha/networks/${id}`)).status).toBe(200);
    expect((await api.request(`/v1alpha/networks/${id}/endpoints`)).status).toBe(200);
    expect((await api.request('/v1alpha/networks')).json.items).toHaveLength(1);
    expect((await api.request(`/v1alpha/networks/${unknownId}`)).status).toBe(503);
  });

  it.each(['Forbidden', 'NotFound', 'TooManyRequests', 'Internal'] as const)(
    'its %s is not the fault of the caller: 503 without its message',
    async (reason) => {
      api.kube.failNext({ verb: 'create', error: new AppError(reason, 'serviceaccount x cannot') });
      const { status, text } = await api.request('/v1alpha/networks', { body: { name: 'b', spec } });
      expect(status).toBe(503);
      expect(text).not.toContain('serviceaccount');
    },
  );

  it('an unexpected error is 500 without its message', async () => {
    api.kube.failNext({ verb: 'create', error: new TypeError('undefined is not a function at /app/x.ts') });
    const { status, json } = await api.request('/v1alpha/networks', { body: { name: 'b', spec } });
    expect(status).toBe(500);
    expect(JSON.stringify(json)).not.toMatch(/undefined|\.ts/);
  });
});
