import { installationSchema } from '../../core/api/installation.ts';
import { find, helmErrorFor, helmSkipReason, type Manifest, renderChart } from './render.ts';

const suite = helmSkipReason() ? describe.skip : describe;
const configOf = (manifests: Manifest[]) =>
  installationSchema.parse(JSON.parse(find(manifests, 'ConfigMap', '-config').data?.['config.json'] ?? ''));
const annotationsOf = async (ingress: object) => {
  const manifests = await renderChart({ ingress: { enabled: true, host: 'a.example', ...ingress } });
  return find(manifests, 'Ingress', '').metadata.annotations ?? {};
};

suite(`chart ingress${helmSkipReason() ? ` (skipped: ${helmSkipReason()})` : ''}`, () => {
  it('sets what every known controller needs, unless one is named', async () => {
    const all = await annotationsOf({});
    expect(all).toMatchObject({
      'nginx.ingress.kubernetes.io/proxy-read-timeout': '3600',
      'nginx.ingress.kubernetes.io/proxy-body-size': '32m',
      'nginx.ingress.kubernetes.io/enable-access-log': 'false',
      'nginx.org/websocket-services': 'slipway',
      'haproxy.org/timeout-server': '1h',
      'haproxy-ingress.github.io/timeout-tunnel': '1h',
      'projectcontour.io/response-timeout': 'infinity',
    });
    const named = Object.keys(await annotationsOf({ controller: 'contour' }));
    expect(named).toEqual(['projectcontour.io/response-timeout', 'projectcontour.io/websocket-routes']);
    expect(await annotationsOf({ controller: 'none' })).toEqual({});
    expect(await helmErrorFor({ ingress: { controller: 'Contour' } })).toContain('controller');
  });

  it('lets own annotations go before those of the controller', async () => {
    const name = 'projectcontour.io/response-timeout';
    const annotations = { [name]: '1h', own: 'yes' };
    expect(await annotationsOf({ controller: 'contour', annotations })).toMatchObject(annotations);
  });

  it('has cert-manager fill the Secret of the host, and then the public URL has TLS', async () => {
    const ingress = { enabled: true, host: 'a.example', certManager: { clusterIssuer: 'public' } };
    const manifests = await renderChart({ ingress });
    const { metadata, spec } = find(manifests, 'Ingress', '');
    expect(metadata.annotations?.['cert-manager.io/cluster-issuer']).toBe('public');
    expect(spec.tls).toEqual([{ secretName: 'slipway-tls', hosts: ['a.example'] }]);
    expect(configOf(manifests).publicUrl).toBe('https://a.example');
  });

  it('has cert-manager fill given Secrets, with an issuer of the namespace', async () => {
    const certManager = { issuer: 'own' };
    const secrets = { tlsSecret: 'mine', serviceTlsSecret: 'wildcard' };
    const ingress = { enabled: true, host: 'a.example', ...secrets, certManager };
    const { metadata, spec } = find(
      await renderChart({ serviceDomain: 's.example', ingress }),
      'Ingress',
      '',
    );
    expect(metadata.annotations?.['cert-manager.io/issuer']).toBe('own');
    expect(spec.tls.map(({ secretName }: { secretName: string }) => secretName)).toEqual([
      'mine',
      'wildcard',
    ]);
  });

  it.each([
    ['no host', { certManager: { clusterIssuer: 'public' } }, 'needs ingress.host'],
    ['two issuers', { host: 'a.example', certManager: { clusterIssuer: 'a', issuer: 'b' } }, 'not both'],
  ])('refuses a certificate with %s', async (_what, ingress, message) => {
    expect(await helmErrorFor({ ingress: { enabled: true, ...ingress } })).toContain(message);
  });
});

suite(`chart gateway${helmSkipReason() ? ` (skipped: ${helmSkipReason()})` : ''}`, () => {
  const publicUrl = 'https://a.example:8443';
  const parentRefs = [{ name: 'public', namespace: 'gateways', sectionName: 'https' }];
  const routeOf = async (values: object) => find(await renderChart(values), 'HTTPRoute', '');

  it('sends everything to the API server, without a limit of time', async () => {
    const annotations = { own: 'yes' };
    const { metadata, spec } = await routeOf({
      publicUrl,
      gateway: { enabled: true, parentRefs, annotations },
    });
    expect(metadata.annotations).toEqual(annotations);
    expect(spec).toEqual({
      parentRefs,
      hostnames: ['a.example'],
      rules: [
        {
          matches: [{ path: { type: 'PathPrefix', value: '/' } }],
          timeouts: { request: '0s' },
          backendRefs: [{ name: 'slipway', port: 80 }],
        },
      ],
    });
  });

  it('has the host names of services, or given ones, or any where the public URL has an address', async () => {
    const gateway = { enabled: true, parentRefs };
    const hostnames = async (values: object) => (await routeOf({ gateway, ...values })).spec.hostnames;
    const serviceDomain = 's.example';
    expect(await hostnames({ publicUrl, serviceDomain })).toEqual(['a.example', '*.s.example']);
    const own = { gateway: { ...gateway, hostnames: ['b.example', 'c.example'] } };
    expect(await hostnames({ publicUrl, ...own })).toEqual(['b.example', 'c.example']);
    expect(await hostnames({ publicUrl: 'http://192.0.2.1:8080', serviceDomain })).toBeUndefined();
    expect(await hostnames({ publicUrl: 'http://[2001:db8::1]:8080' })).toBeUndefined();
  });

  it('may be beside the Ingress, counts as a proxy, and sets no timeouts where the Gateway has none', async () => {
    const gateway = { enabled: true, parentRefs, timeouts: { request: null } };
    const manifests = await renderChart({ publicUrl, gateway, ingress: { enabled: true } });
    expect(find(manifests, 'Ingress', '')).toBeDefined();
    expect(find(manifests, 'HTTPRoute', '').spec.rules[0]).not.toHaveProperty('timeouts');
    expect(configOf(await renderChart({ publicUrl, gateway })).limits.trustedProxies).toBe(1);
    expect((await renderChart()).filter(({ kind }) => kind === 'HTTPRoute')).toEqual([]);
  });

  it.each([
    ['a public URL', { gateway: { enabled: true, parentRefs } }, 'needs publicUrl'],
    ['a Gateway', { publicUrl, gateway: { enabled: true } }, 'parentRefs'],
    ['a host name', { publicUrl, gateway: { enabled: true, parentRefs, hostnames: ['A:1'] } }, 'hostnames'],
  ])('is refused without %s', async (_what, values, message) => {
    expect(await helmErrorFor(values)).toContain(message);
  });
});
