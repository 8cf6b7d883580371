import { forkSourcesSchema, installationSchema } from '../../core/api/installation.ts';
import { find, type Manifest, refusalOf, renderChart, secretText, whyNoHelm } from './render.ts';

const suite = whyNoHelm() ? describe.skip : describe;
const configOf = (manifests: Manifest[]) =>
  installationSchema.parse(JSON.parse(find(manifests, 'ConfigMap', '-config').data?.['config.json'] ?? ''));

suite(`values of the chart${whyNoHelm() ? ` (skipped: ${whyNoHelm()})` : ''}`, () => {
  it('make a configuration that the service reads', async () => {
    expect(configOf(await renderChart({ rpc: { maxBodyBytes: 20_971_520 } }))).toMatchObject({
      defaultWorkspace: { id: 'default', namespace: 'slipway-default' },
      engines: { 'evm-dev': { image: 'slipway/evm-dev:0.2.0', pullPolicy: 'IfNotPresent' } },
      rpc: { holdSeconds: 20, maxBodyBytes: 20_971_520 },
    });
  });

  it.each([
    ['its own value', { publicUrl: 'https://a.example/' }, 'https://a.example'],
    ['the ingress host', { ingress: { enabled: true, host: 'b.example' } }, 'http://b.example'],
    [
      'a host with TLS',
      { ingress: { enabled: true, host: 'b.example', tlsSecret: 's' } },
      'https://b.example',
    ],
    ['the Service', {}, 'http://slipway.slipway-system.svc'],
    ['the Service’s port', { service: { port: 8080 } }, 'http://slipway.slipway-system.svc:8080'],
  ])('take the public URL from %s', async (_from, values, url) => {
    expect(configOf(await renderChart(values)).publicUrl).toBe(url);
  });

  it.each([
    ['90s', 90],
    ['30m', 1800],
    ['24h', 86_400],
    ['7d', 604_800],
  ])('take a duration with its unit: %s', async (after, seconds) => {
    expect(configOf(await renderChart({ idle: { after } })).idle.afterSeconds).toBe(seconds);
  });

  it('name what forks of Solana copy', async () => {
    const clone = { accounts: ['A'.repeat(43)], programs: ['B'.repeat(44)] };
    expect(configOf(await renderChart({ solana: { clone } })).solana.clone).toEqual(clone);
    expect(configOf(await renderChart()).solana.clone).toEqual({ accounts: [], programs: [] });
  });

  it('pin an image by digest when there is one', async () => {
    const digest = `sha256:${'ab'.repeat(32)}`;
    const manifests = await renderChart({ image: { repository: 'r.example/s', tag: 'x', digest } });
    const [container] = find(manifests, 'Deployment', 'operator').spec.template.spec.containers;
    expect(container.image).toBe(`r.example/s@${digest}`);
  });

  it('keep fork sources in a Secret, in the form that the operator reads, and let engines reach the public net', async () => {
    const without = await renderChart();
    expect(
      forkSourcesSchema.parse(
        JSON.parse(secretText(find(without, 'Secret', '-fork-sources'), 'fork-sources.json')),
      ),
    ).toEqual({});
    expect(JSON.stringify(find(without, 'NetworkPolicy', 'slipway-engines'))).not.toContain('0.0.0.0/0');
    const manifests = await renderChart({ forkSources: { Ethereum: 'https://m.example/KEY' } });
    expect(secretText(find(manifests, 'Secret', '-fork-sources'), 'fork-sources.json')).toContain(
      'm.example/KEY',
    );
    expect(JSON.stringify(manifests.filter(({ kind }) => kind !== 'Secret'))).not.toContain('m.example');
    expect(JSON.stringify(find(manifests, 'NetworkPolicy', 'slipway-engines'))).toContain('0.0.0.0/0');
  });

  it('hold a workspace’s pods to the restricted standard, with everything denied at first', async () => {
    const manifests = await renderChart();
    expect(find(manifests, 'Namespace', 'slipway-default').metadata.labels).toMatchObject({
      'slipway.dev/workspace': 'default',
      'pod-security.kubernetes.io/enforce': 'restricted',
    });
    expect(find(manifests, 'NetworkPolicy', 'slipway-default-deny').spec).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
  });

  it('tell the operator what belongs into every other workspace: the same fence, and its two roles', async () => {
    const manifests = await renderChart({ workspace: { podSecurity: 'baseline' } });
    const { workspaces } = configOf(manifests);
    expect(workspaces).toMatchObject({ podSecurity: 'baseline', serviceAccount: 'slipway-operator' });
    for (const { name, spec } of workspaces.networkPolicies) {
      expect(find(manifests, 'NetworkPolicy', name).spec).toEqual(spec);
    }
    expect(workspaces.networkPolicies).toHaveLength(2);
    const roles = manifests.filter(({ kind }) => kind === 'ClusterRole').map(({ metadata }) => metadata.name);
    expect(roles).toEqual(expect.arrayContaining(workspaces.roles));
    const operator = find(manifests, 'ClusterRole', 'slipway-operator.slipway-system');
    const [binding] = operator.rules.filter(({ verbs }: { verbs: string[] }) => verbs.includes('bind'));
    expect(binding.resourceNames).toEqual(workspaces.roles);
    const open = configOf(await renderChart({ networkPolicy: { enabled: false } }));
    expect(open.workspaces.networkPolicies).toEqual([]);
  });

  it('say who may reach the webhook, where that is known', async () => {
    const webhookFrom = [{ ipBlock: { cidr: '10.0.0.10/32' } }];
    const peersOf = (manifests: Manifest[]) =>
      find(manifests, 'NetworkPolicy', '-apiserver').spec.ingress.find(
        ({ ports }: { ports: { port: string }[] }) => ports.some(({ port }) => port === 'admission'),
      ).from;
    expect(peersOf(await renderChart({ networkPolicy: { webhookFrom } }))).toEqual(webhookFrom);
    expect(peersOf(await renderChart())).toBeUndefined();
  });

  it('limit each API key, unless that is switched off', async () => {
    expect(configOf(await renderChart()).limits).toEqual({
      requestsPerSecond: 100,
      burst: 200,
      concurrent: 32,
    });
    const free = await renderChart({ limits: { requestsPerSecond: 0 }, quota: { workspaces: 3 } });
    expect(configOf(free)).toMatchObject({ limits: { requestsPerSecond: 0 }, quota: { workspaces: 3 } });
  });

  it.each([
    ['an unknown value', { imagge: {} }, 'imagge'],
    ['a chain type that does not exist', { forkSources: { Etherium: 'https://x' } }, 'forkSources'],
    ['an idle time under a minute', { idle: { after: '30s' } }, 'after'],
    ['a duration without a unit', { idle: { after: '24' } }, 'after'],
    ['no replica', { apiserver: { replicas: 0 } }, 'replicas'],
    ['a certificate without its CA', { webhook: { existingSecret: 'tls' } }, 'caBundle'],
    ['a public URL that is none', { publicUrl: 'slipway.example' }, 'publicUrl'],
    ['a drain longer than the grace period', { apiserver: { drainMs: 60_000 } }, 'drainMs'],
  ])('are refused with their name: %s', async (_reason, values, name) => {
    expect(await refusalOf(values)).toContain(name);
  });

  it.each([
    ['ingress', { ingress: { enabled: true, host: 'a.example', className: 'nginx' } }, 'Ingress'],
    ['ServiceMonitor', { serviceMonitor: { enabled: true } }, 'ServiceMonitor'],
    ['cert-manager’s certificate', { webhook: { certManager: { enabled: true } } }, 'Certificate'],
  ])('switch on what is off by default: %s', async (_what, values, kind) => {
    expect((await renderChart()).some((manifest) => manifest.kind === kind)).toBe(false);
    expect((await renderChart(values)).filter((manifest) => manifest.kind === kind)).toHaveLength(1);
  });
});
