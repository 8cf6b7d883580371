import { notesOf } from '../../hack/chart/render.ts';
import { testKubeconfig } from '../../hack/testenv/testKube.ts';
import { applyChart, installGatewayApi } from './testing/cluster.ts';

const publicUrl = 'https://slipway.example.com';
const parentRefs = [{ name: 'public', namespace: 'gateways', sectionName: 'https' }];
const nowhere = { host: '192.0.2.1', port: 8080 };

describe('kube-apiserver with the CRDs of the Gateway API', () => {
  beforeAll(installGatewayApi);

  it.each([
    ['the defaults', { publicUrl, gateway: { enabled: true, parentRefs } }],
    [
      'host names of services',
      { publicUrl, serviceDomain: 's.example.com', gateway: { enabled: true, parentRefs } },
    ],
    ['any host', { publicUrl: 'http://192.0.2.1:8080', gateway: { enabled: true, parentRefs } }],
    ['no timeouts', { publicUrl, gateway: { enabled: true, parentRefs, timeouts: { request: null } } }],
  ])('takes the HTTPRoute of the chart with %s', async (_what, values) => {
    const { kind } = await applyChart('HTTPRoute', values, nowhere);
    expect(kind).toBe('HTTPRoute');
  });

  it('makes the notes warn of a Gateway without TLS', async () => {
    const notes = (url: string) =>
      notesOf(testKubeconfig(), { publicUrl: url, gateway: { enabled: true, parentRefs } });
    expect(await notes('http://slipway.example.com')).toContain('WARNING: NO TLS');
    expect(await notes(publicUrl)).not.toContain('WARNING: NO TLS');
  });

  it('refuses one that is wrong, so that it would say so', async () => {
    const wrong = { publicUrl, gateway: { enabled: true, parentRefs, timeouts: { request: 'forever' } } };
    await expect(applyChart('HTTPRoute', wrong, nowhere)).rejects.toThrow('timeouts');
  });
});
