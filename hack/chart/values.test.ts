import { forkSourcesSchema } from '../../core/api/installation.ts';
import {
  configOf,
  find,
  helmErrorFor,
  helmSkipReason,
  type Manifest,
  renderChart,
  secretText,
} from './render.ts';

const suite = helmSkipReason() ? describe.skip : describe;

suite(`chart values${helmSkipReason() ? ` (skipped: ${helmSkipReason()})` : ''}`, () => {
  it('render a configuration that the service can parse', async () => {
    expect(configOf(await renderChart({ rpc: { maxBodyBytes: 20_971_520 } }))).toMatchObject({
      defaultWorkspace: { id: 'default', namespace: 'slipway-default' },
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
    ['the Service port', { service: { port: 8080 } }, 'http://slipway.slipway-system.svc:8080'],
  ])('determine the public URL from %s', async (_from, values, url) => {
    expect(configOf(await renderChart(values)).publicUrl).toBe(url);
  });

  it.each([
    ['90s', 90],
    ['30m', 1800],
    ['24h', 86_400],
    ['7d', 604_800],
  ])('accept a duration with a unit: %s', async (after, seconds) => {
    expect(configOf(await renderChart({ idle: { after } })).idle.afterSeconds).toBe(seconds);
  });

  it('limit the times that networks may set', async () => {
    const config = configOf(await renderChart({ idle: { maxAfter: '2h' }, expiry: { maxAfter: '30d' } }));
    expect(config).toMatchObject({ idle: { maxAfterSeconds: 7200 }, expiry: { maxAfterSeconds: 2_592_000 } });
    expect(configOf(await renderChart()).expiry.maxAfterSeconds).toBe(31_536_000);
  });

  it('say how many engines wait for networks, and can switch them off', async () => {
    expect(configOf(await renderChart()).warmEngines).toEqual({
      enabled: true,
      min: 0,
      max: 2,
      defaultWorkspace: 1,
      recentSeconds: 3600,
    });
    const warmEngines = { enabled: false, min: 1, max: 5, defaultWorkspace: 0, recentFor: '30m' };
    expect(configOf(await renderChart({ warmEngines })).warmEngines).toEqual({
      enabled: false,
      min: 1,
      max: 5,
      defaultWorkspace: 0,
      recentSeconds: 1800,
    });
  });

  it('list the accounts and programs that Solana forks clone', async () => {
    const clone = { accounts: ['A'.repeat(43)], programs: ['B'.repeat(44)] };
    expect(configOf(await renderChart({ solana: { clone } })).solana.clone).toEqual(clone);
    expect(configOf(await renderChart()).solana.clone).toEqual({ accounts: [], programs: [] });
  });

  it('say who may have airdrops on Solana', async () => {
    expect(configOf(await renderChart()).solana.airdrops).toBe('public');
    expect(configOf(await renderChart({ solana: { airdrops: 'admin' } })).solana.airdrops).toBe('admin');
    expect(await helmErrorFor({ solana: { airdrops: 'everybody' } })).toContain('airdrops');
  });

  it('set the budgets of the default workspace and of all others, unless they are switched off', async () => {
    const hard = { pods: 7, 'count/tokens.slipway.dev': null };
    const manifests = await renderChart({ quota: { namespace: { hard } } });
    const { spec } = find(manifests, 'ResourceQuota', 'slipway-budget');
    const { resourceQuota, limitRange } = configOf(manifests).workspaces;
    expect(resourceQuota).toMatchObject({ ...spec.hard, pods: '7', 'count/networks.slipway.dev': '1000' });
    expect(resourceQuota).not.toHaveProperty(['count/tokens.slipway.dev']);
    // The operator sets the budget of custom resources.
    expect(Object.keys(spec.hard).filter((name) => name.includes('.'))).toEqual([]);
    expect(find(manifests, 'LimitRange', 'slipway-budget').spec.limits).toEqual(limitRange);
    const without = await renderChart({ quota: { namespace: { enabled: false } } });
    expect(without.filter(({ kind }) => ['ResourceQuota', 'LimitRange'].includes(kind))).toEqual([]);
    expect(configOf(without).workspaces).toMatchObject({ resourceQuota: {}, limitRange: [] });
  });

  it('pass on the quotas of accounts and the end of the first API key, which must be a time', async () => {
    const quota = { accounts: 7, accountsPerUser: 2, apiKeys: 9, workspaces: 3 };
    const expiresAt = '2031-01-31T00:00:00Z';
    const config = configOf(await renderChart({ quota, bootstrap: { expiresAt } }));
    expect(config.quota).toMatchObject(quota);
    expect(config.bootstrapKey).toEqual({ expiresAt });
    expect(configOf(await renderChart()).bootstrapKey).toEqual({ expiresAt: '' });
    expect(await helmErrorFor({ bootstrap: { expiresAt: 'tomorrow' } })).toContain('expiresAt');
  });

  it('pin an image by digest when one is set', async () => {
    const digest = `sha256:${'ab'.repeat(32)}`;
    const manifests = await renderChart({ image: { repository: 'r.example/s', tag: 'x', digest } });
    const [container] = find(manifests, 'Deployment', 'operator').spec.template.spec.containers;
    expect(container.image).toBe(`r.example/s@${digest}`);
  });

  it('store fork sources in a Secret that the fork proxy can parse, and tell the operator only their types', async () => {
    const without = await renderChart();
    const sourcesIn = (manifests: Manifest[]) =>
      forkSourcesSchema.parse(
        JSON.parse(secretText(find(manifests, 'Secret', '-fork-sources'), 'fork-sources.json')),
      );
    expect(sourcesIn(without)).toEqual({});
    expect(configOf(without).forks.url).toBe('');
    const sources = { Ethereum: 'https://m.example/KEY', Base: 'https://m.example/KEY' };
    const manifests = await renderChart({ forkSources: sources });
    expect(sourcesIn(manifests)).toEqual(sources);
    expect(JSON.stringify(manifests.filter(({ kind }) => kind !== 'Secret'))).not.toContain('m.example');
    const url = 'http://slipway-forks.slipway-system.svc:8546';
    expect(configOf(manifests).forks).toMatchObject({ url, types: ['Base', 'Ethereum'] });
    const own = configOf(await renderChart({ forkSourcesExistingSecret: 'mine' }));
    expect([own.forks.url, own.forks.types]).toEqual([url, undefined]);
  });

  it('run the fork proxy where workspaces may have own sources, and tell every process which', async () => {
    const ownSources = { allowedHosts: ['.infura.io', 'node.example'], allowPrivateAddresses: true };
    const manifests = await renderChart({ forks: { ownSources } });
    expect(find(manifests, 'Deployment', '-forks')).toBeDefined();
    expect(configOf(manifests).forks).toMatchObject({
      url: expect.stringContaining('-forks'),
      types: [],
      ownSources,
    });
    expect(configOf(await renderChart()).forks.ownSources).toEqual({
      allowedHosts: [],
      allowPrivateAddresses: false,
    });
    for (const host of ['https://node.example', '*.infura.io', '.']) {
      const error = await helmErrorFor({ forks: { ownSources: { allowedHosts: [host] } } });
      expect(error).toContain('allowedHosts');
    }
  });

  it('let the fork proxy reach the public internet, and engines only the fork proxy', async () => {
    const egressOf = (manifests: Manifest[], name: string) =>
      JSON.stringify(find(manifests, 'NetworkPolicy', name).spec.egress);
    expect(egressOf(await renderChart(), 'slipway-engines')).not.toContain('8546');
    const manifests = await renderChart({ forkSources: { Ethereum: 'https://m.example/KEY' } });
    expect(egressOf(manifests, 'slipway-engines')).toContain('8546');
    expect(egressOf(manifests, '-forks')).toContain('0.0.0.0/0');
    for (const name of ['slipway-engines', '-operator', '-apiserver']) {
      expect(egressOf(manifests, name)).not.toContain('0.0.0.0/0');
    }
    expect(egressOf(manifests, '-forks')).not.toContain('6443');
    const forkEgress = [{ ports: [{ port: 1234 }] }];
    const wider = await renderChart({
      forkSources: { Base: 'https://m.example' },
      networkPolicy: { forkEgress },
    });
    expect(egressOf(wider, '-forks')).toContain('1234');
  });

  it.each(['slipway-engines', '-operator', '-apiserver', '-forks'])(
    'let pods reach DNS where the installation has it: %s',
    async (name) => {
      const forkSources = { Ethereum: 'https://m.example/KEY' };
      const egressOf = async (networkPolicy: object) =>
        find(await renderChart({ forkSources, networkPolicy }), 'NetworkPolicy', name).spec.egress;
      const of = (namespace: string, port: number) => ({
        to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } }],
        ports: [
          { port, protocol: 'UDP' },
          { port, protocol: 'TCP' },
        ],
      });
      const usual = await egressOf({});
      expect(usual[0]).toEqual(of('kube-system', 53));
      const dns = [of('openshift-dns', 5353), { to: [{ ipBlock: { cidr: '169.254.20.10/32' } }] }];
      expect(await egressOf({ dns })).toEqual([...dns, ...usual.slice(1)]);
    },
  );

  it('enforce the restricted standard on workspace pods and deny all their traffic by default', async () => {
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

  it('pass the operator the policies and the roles that every other workspace gets', async () => {
    const manifests = await renderChart({ workspace: { podSecurity: 'baseline' } });
    const { workspaces } = configOf(manifests);
    expect(workspaces.podSecurity).toBe('baseline');
    for (const { name, spec } of workspaces.networkPolicies) {
      expect(find(manifests, 'NetworkPolicy', name).spec).toEqual(spec);
    }
    expect(workspaces.networkPolicies).toHaveLength(2);
    const roles = manifests.filter(({ kind }) => kind === 'ClusterRole').map(({ metadata }) => metadata.name);
    const bound = workspaces.bindings.map(({ role }) => role);
    expect(roles).toEqual(expect.arrayContaining(bound));
    expect(
      workspaces.bindings.filter(({ serviceAccount }) => serviceAccount === 'slipway-apiserver'),
    ).toEqual([expect.objectContaining({ role: 'slipway-apiserver-workspace.slipway-system' })]);
    const operator = find(manifests, 'ClusterRole', 'slipway-operator.slipway-system');
    const [binding] = operator.rules.filter(({ verbs }: { verbs: string[] }) => verbs.includes('bind'));
    expect(binding.resourceNames).toEqual(bound);
    const open = configOf(await renderChart({ networkPolicy: { enabled: false } }));
    expect(open.workspaces.networkPolicies).toEqual([]);
  });

  it('restrict who can reach the webhook when that is configured', async () => {
    const webhookFrom = [{ ipBlock: { cidr: '10.0.0.10/32' } }];
    const peersOf = (manifests: Manifest[]) =>
      find(manifests, 'NetworkPolicy', '-webhook').spec.ingress.find(
        ({ ports }: { ports: { port: string }[] }) => ports.some(({ port }) => port === 'admission'),
      ).from;
    expect(peersOf(await renderChart({ networkPolicy: { webhookFrom } }))).toEqual(webhookFrom);
    expect(peersOf(await renderChart())).toBeUndefined();
  });

  it('let only the service itself and chosen namespaces scrape metrics', async () => {
    const peersOf = (manifests: Manifest[]) =>
      ['-apiserver', '-webhook', '-operator'].map(
        (name) =>
          find(manifests, 'NetworkPolicy', name).spec.ingress.find(
            ({ ports }: { ports: { port: string }[] }) => ports.some(({ port }) => port === 'metrics'),
          ).from,
      );
    const of = (name: string) => ({
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
    });
    const own = of('slipway-system');
    expect(new Set(peersOf(await renderChart()).map((peers) => JSON.stringify(peers)))).toEqual(
      new Set([JSON.stringify([own, of('monitoring')])]),
    );
    const chosen = await renderChart({ networkPolicy: { metricsFrom: [of('observe')] } });
    expect(peersOf(chosen)[0]).toEqual([own, of('observe')]);
    expect(peersOf(await renderChart({ networkPolicy: { metricsFrom: [] } }))[0]).toEqual([own]);
  });

  it('refer to the image by its digest when there is one', async () => {
    const digest = `sha256:${'a'.repeat(64)}`;
    const manifests = await renderChart({ image: { digest } });
    for (const name of ['-apiserver', '-webhook', '-operator']) {
      const [container] = find(manifests, 'Deployment', name).spec.template.spec.containers;
      expect(container.image).toBe(`slipway/service@${digest}`);
    }
  });

  it('limit each account, unless the rate limit is disabled', async () => {
    expect(configOf(await renderChart()).limits).toEqual({
      requestsPerSecond: 100,
      burst: 200,
      concurrent: 32,
      idempotencyKeysPerDay: 50_000,
      requestMemoryMiB: 320,
      eventStreams: { account: 32, workspace: 500, all: 2000 },
      trustedProxies: 0,
    });
    const behind = async (values: object) => configOf(await renderChart(values)).limits;
    expect(await behind({ ingress: { enabled: true } })).toMatchObject({ trustedProxies: 1 });
    expect(await behind({ ingress: { enabled: true }, limits: { trustedProxies: 2 } })).toMatchObject({
      trustedProxies: 2,
    });
    const free = await renderChart({ limits: { requestsPerSecond: 0 }, quota: { workspaces: 3 } });
    expect(configOf(free)).toMatchObject({ limits: { requestsPerSecond: 0 }, quota: { workspaces: 3 } });
  });

  it('give services host names, with the certificate of a wildcard', async () => {
    const ingress = { enabled: true, host: 'a.example', tlsSecret: 'tls', serviceTlsSecret: 'wildcard' };
    const manifests = await renderChart({ serviceDomain: 'services.example', ingress });
    expect(configOf(manifests).serviceDomain).toBe('services.example');
    const { tls, rules } = find(manifests, 'Ingress', '').spec;
    expect(tls).toEqual([
      { secretName: 'tls', hosts: ['a.example'] },
      { secretName: 'wildcard', hosts: ['*.services.example'] },
    ]);
    expect(rules.map(({ host }: { host: string }) => host)).toEqual(['a.example', '*.services.example']);
    expect(rules[1].http).toEqual(rules[0].http);
  });

  it('keep the host of the API out of the domain of services', async () => {
    const within = { publicUrl: 'https://slipway.example.com', serviceDomain: 'example.com' };
    const manifests = await renderChart(within);
    expect(() => configOf(manifests)).toThrow('must not contain the host of publicUrl');
  });

  it.each([
    ['an unknown value', { imagge: {} }, 'imagge'],
    ['a chain type that does not exist', { forkSources: { Etherium: 'https://x' } }, 'forkSources'],
    ['an idle time under a minute', { idle: { after: '30s' } }, 'after'],
    ['a duration without a unit', { idle: { after: '24' } }, 'after'],
    ['zero replicas', { apiserver: { replicas: 0 } }, 'replicas'],
    ['a certificate without its CA', { webhook: { existingSecret: 'tls' } }, 'caBundle'],
    ['a public URL that is not a URL', { publicUrl: 'slipway.example' }, 'publicUrl'],
    ['a drain longer than the grace period', { apiserver: { drainMs: 60_000 } }, 'drainMs'],
  ])('are rejected with an error that names the value: %s', async (_reason, values, name) => {
    expect(await helmErrorFor(values)).toContain(name);
  });

  it.each([
    ['ingress', { ingress: { enabled: true, host: 'a.example', className: 'nginx' } }, 'Ingress'],
    ['ServiceMonitor', { serviceMonitor: { enabled: true } }, 'ServiceMonitor'],
    ['the cert-manager Certificate', { webhook: { certManager: { enabled: true } } }, 'Certificate'],
  ])('enable what is off by default: %s', async (_what, values, kind) => {
    expect((await renderChart()).some((manifest) => manifest.kind === kind)).toBe(false);
    expect((await renderChart(values)).filter((manifest) => manifest.kind === kind)).toHaveLength(1);
  });
});
