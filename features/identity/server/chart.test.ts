import {
  configOf,
  find,
  helmErrorFor,
  helmSkipReason,
  type Manifest,
  renderChart,
} from '../../../hack/chart/render.ts';

const suite = helmSkipReason() ? describe.skip : describe;
const provider = {
  name: 'staff',
  issuer: 'https://id.example.com/realms/staff',
  clientId: 'slipway',
  clientSecret: { secret: 'slipway-oidc', key: 'client-secret' },
};
const podOf = (manifests: Manifest[]) => find(manifests, 'Deployment', '-apiserver').spec.template.spec;
const egressOf = (manifests: Manifest[]) =>
  find(manifests, 'NetworkPolicy', '-apiserver').spec.egress.flatMap(
    ({ ports = [] }: { ports?: { port: number }[] }) => ports.map(({ port }) => port),
  );

suite(`signing in, by the chart${helmSkipReason() ? ` (skipped: ${helmSkipReason()})` : ''}`, () => {
  it('has no provider and no mail server by default, and no volume for their secrets', async () => {
    const manifests = await renderChart();
    expect(configOf(manifests)).toMatchObject({
      oidc: { providers: [] },
      wallets: { enabled: true, chainId: 1 },
      smtp: { host: '' },
    });
    expect(JSON.stringify(podOf(manifests))).not.toContain('sign-in');
  });

  it('mounts the secrets of providers, so that they are in no ConfigMap and need not be there', async () => {
    const manifests = await renderChart({ oidc: { providers: [provider] } });
    expect(configOf(manifests).oidc.providers).toMatchObject([{ name: 'staff', signUp: 'none' }]);
    expect(find(manifests, 'ConfigMap', '-config').data?.['config.json']).not.toContain('slipway-oidc');
    const { volumes } = podOf(manifests);
    expect(volumes.find(({ name }: { name: string }) => name === 'sign-in').projected.sources).toEqual([
      {
        secret: {
          name: 'slipway-oidc',
          optional: true,
          items: [{ key: 'client-secret', path: 'oidc.staff.client-secret' }],
        },
      },
    ]);
  });

  it('lets the API server reach the mail server, and providers at other ports', async () => {
    const smtp = { host: 'mail.example.com', port: 2525, from: 'slipway@example.com', auth: { secret: 'm' } };
    const signInEgress = [{ ports: [{ port: 8443, protocol: 'TCP' }] }];
    const manifests = await renderChart({ smtp, networkPolicy: { signInEgress } });
    expect(configOf(manifests).smtp).toMatchObject({ host: 'mail.example.com', hasPassword: true });
    expect(egressOf(manifests)).toEqual(expect.arrayContaining([2525, 8443]));
    expect(egressOf(await renderChart())).not.toContain(2525);
  });

  it.each([
    ['a provider without an issuer', { oidc: { providers: [{ name: 'x', clientId: 'y' }] } }, 'issuer'],
    ['a secret in plain text', { oidc: { providers: [{ ...provider, clientSecret: 'x' }] } }, 'clientSecret'],
    ['a sender of two lines', { smtp: { from: 'a@b.c\nBcc: x@y.z' } }, 'from'],
  ])('refuses %s', async (_what, values, message) => {
    expect(await helmErrorFor(values)).toContain(message);
  });
});
