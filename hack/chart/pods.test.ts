import { workspaceSharesObject } from '../../core/api/names.ts';
import { find, helmSkipReason, lintChart, type Manifest, renderChart } from './render.ts';

const suite = helmSkipReason() ? describe.skip : describe;
const podOf = (manifest: Manifest) => (manifest.kind === 'Pod' ? manifest.spec : manifest.spec.template.spec);

suite(`chart pods${helmSkipReason() ? ` (skipped: ${helmSkipReason()})` : ''}`, () => {
  let manifests: Manifest[];
  let pods: Manifest[];
  beforeAll(async () => {
    // These values also render the Jobs for an uninstall and for a key rotation.
    manifests = await renderChart({ crds: { keep: false }, keys: { reseal: true } });
    pods = manifests.filter(({ kind }) => ['Deployment', 'Pod', 'Job'].includes(kind));
  });

  it('pass helm lint', async () => {
    expect(await lintChart()).toContain('0 chart(s) failed');
  });

  it('are four Deployments, the test Pod, and the Jobs for keys, a purge and a reseal', () => {
    expect(pods.map(({ metadata }) => metadata.name).sort()).toEqual([
      'slipway-apiserver',
      'slipway-compilers',
      'slipway-keys',
      'slipway-operator',
      'slipway-purge',
      'slipway-reseal-1',
      'slipway-test',
      'slipway-webhook',
    ]);
  });

  it('meet the restricted Pod Security Standard', () => {
    for (const pod of pods.map(podOf)) {
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const container of pod.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    }
  });

  it.each(['Job keys', 'Job purge', 'Job reseal-1', 'Pod test'])(
    'run where the operator may run: %s',
    async (what) => {
      const [kind = '', name = ''] = what.split(' ');
      const place = {
        nodeSelector: { pool: 'infra' },
        tolerations: [{ key: 'infra', operator: 'Exists' }],
        priorityClassName: 'infra',
      };
      const nodeAffinity = {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'gpu', operator: 'DoesNotExist' }] }],
        },
      };
      // Two operators may have to be apart; a Job in between would find no node.
      const apart = {
        topologyKey: 'kubernetes.io/hostname',
        labelSelector: { matchLabels: { 'app.kubernetes.io/component': 'operator' } },
      };
      const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [apart] };
      const operator = { ...place, affinity: { nodeAffinity, podAntiAffinity } };
      const rendered = await renderChart({ crds: { keep: false }, keys: { reseal: true }, operator });
      const pod = podOf(find(rendered, kind, `slipway-${name}`));
      expect(pod).toMatchObject(place);
      expect(pod.affinity).toEqual({ nodeAffinity });
    },
  );

  it('declare resource requests and a memory limit', () => {
    for (const container of pods.flatMap((manifest) => podOf(manifest).containers)) {
      expect(container.resources).toMatchObject({
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      });
    }
  });

  it.each(['apiserver', 'operator'])('limit the free memory that a process keeps: %s', (name) => {
    const [container] = podOf(find(manifests, 'Deployment', name)).containers;
    expect(container.command).toContainEqual(expect.stringMatching(/^--max-semi-space-size=/));
    expect(container.env).toEqual(
      expect.arrayContaining([
        { name: 'MALLOC_ARENA_MAX', value: '2' },
        { name: 'MALLOC_MMAP_THRESHOLD_', value: '131072' },
      ]),
    );
  });

  it('roll out without an interruption', () => {
    for (const name of ['apiserver', 'webhook', 'operator']) {
      const { spec } = find(manifests, 'Deployment', name);
      expect(spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
      expect(spec.template.spec.terminationGracePeriodSeconds).toBe(30);
    }
  });

  it.each([
    ['operator', ['master-keys', 'access-keys', 'engine-keys', 'fork-keys', 'service-account-keys']],
    ['apiserver', ['master-keys', 'access-keys', 'cursor-keys', 'api-key-pepper']],
  ])('mount only the keys that they need: %s', (name, files) => {
    const { volumes } = podOf(find(manifests, 'Deployment', name));
    const keys = volumes.find((volume: { name: string }) => volume.name === 'keys');
    expect(keys.secret.items.map(({ key }: { key: string }) => key)).toEqual(files);
  });

  it('do not mount the first API key in the operator', () => {
    const { volumes } = podOf(find(manifests, 'Deployment', 'operator'));
    expect(JSON.stringify(volumes)).not.toContain('bootstrap');
  });

  it('keep the admission webhook apart from the API server: its own pods, only the master keys, no rights', () => {
    const webhook = find(manifests, 'Deployment', '-webhook');
    const { volumes, automountServiceAccountToken } = podOf(webhook);
    expect(automountServiceAccountToken).toBe(false);
    expect(volumes).toEqual([
      {
        name: 'keys',
        secret: expect.objectContaining({ items: [{ key: 'master-keys', path: 'master-keys' }] }),
      },
      { name: 'tls', secret: expect.objectContaining({ secretName: 'slipway-webhook-tls' }) },
    ]);
    const rights = manifests.filter(({ kind }) => kind.endsWith('Binding'));
    expect(JSON.stringify(rights.flatMap(({ subjects }) => subjects ?? []))).not.toContain('webhook');
    const labels = webhook.spec.template.metadata.labels;
    expect(labels).toMatchObject(find(manifests, 'Service', '-webhook').spec.selector);
    expect(labels['app.kubernetes.io/component']).toBe('webhook');
    expect(JSON.stringify(podOf(find(manifests, 'Deployment', '-apiserver')))).not.toMatch(/admission|tls/);
  });

  it('keep one replica of the webhook, which fails closed, through node drains and rollouts', () => {
    expect(find(manifests, 'Deployment', '-webhook').spec.replicas).toBe(2);
    expect(find(manifests, 'PodDisruptionBudget', '-webhook').spec.maxUnavailable).toBe(1);
    const [webhook] = find(manifests, 'MutatingWebhookConfiguration', '').webhooks;
    expect(webhook.failurePolicy).toBe('Fail');
    expect(podOf(find(manifests, 'Deployment', '-webhook')).topologySpreadConstraints).toHaveLength(2);
  });

  it('give the URLs of fork sources to the fork proxy alone, which has one key and no rights', async () => {
    const rendered = await renderChart({ forkSources: { Base: 'https://m.example/KEY' } });
    const holders = rendered
      .filter(({ kind }) => kind === 'Deployment')
      .filter((manifest) => JSON.stringify(podOf(manifest).volumes ?? []).includes('fork-sources'));
    expect(holders.map(({ metadata }) => metadata.name)).toEqual(['slipway-forks']);
    const pod = podOf(find(rendered, 'Deployment', '-forks'));
    expect(pod.automountServiceAccountToken).toBe(false);
    const shares = pod.volumes.find((volume: { name: string }) => volume.name === 'workspace-shares');
    expect(shares.configMap).toEqual({ name: workspaceSharesObject, optional: true });
    const keys = pod.volumes.find((volume: { name: string }) => volume.name === 'keys');
    expect(keys.secret.items).toEqual([{ key: 'fork-keys', path: 'fork-keys' }]);
    const rights = rendered.filter(({ kind }) => kind.endsWith('Binding'));
    expect(JSON.stringify(rights.flatMap(({ subjects }) => subjects ?? []))).not.toContain('forks');
  });

  it('run the compilers without rights, volumes and a network to call, and only where there is an image of them', async () => {
    const pod = podOf(find(manifests, 'Deployment', '-compilers'));
    expect([pod.automountServiceAccountToken, pod.volumes]).toEqual([false, undefined]);
    expect(find(manifests, 'NetworkPolicy', '-compilers').spec.egress).toEqual([]);
    const rights = manifests.filter(({ kind }) => kind.endsWith('Binding'));
    expect(JSON.stringify(rights.flatMap(({ subjects }) => subjects ?? []))).not.toContain('compilers');
    const without = await renderChart({ compilers: { image: { repository: '' } } });
    expect(without.filter(({ metadata }) => metadata.name.endsWith('-compilers'))).toEqual([]);
  });

  it('run a fork proxy only where something can be forked, held to the same standard as the others', async () => {
    expect(manifests.filter(({ metadata }) => metadata.name.endsWith('-forks'))).toEqual([]);
    const rendered = await renderChart({ forkSourcesExistingSecret: 'mine' });
    const deployment = find(rendered, 'Deployment', '-forks');
    const [container] = podOf(deployment).containers;
    const [other] = podOf(find(rendered, 'Deployment', '-apiserver')).containers;
    expect(container.securityContext).toEqual(other.securityContext);
    expect(container.image).toBe(other.image);
    const { labels } = deployment.spec.template.metadata;
    for (const kind of ['Service', 'PodDisruptionBudget', 'NetworkPolicy']) {
      const { spec } = find(rendered, kind, '-forks');
      const selector = spec.podSelector?.matchLabels ?? spec.selector.matchLabels ?? spec.selector;
      expect(labels).toMatchObject(selector);
    }
  });

  it('match the selectors of Services, PodDisruptionBudgets and NetworkPolicies', () => {
    const labelSets = pods.map(
      (manifest) => manifest.spec.template?.metadata?.labels ?? manifest.metadata.labels,
    );
    const selectors = manifests.flatMap(({ kind, metadata, spec }) => {
      if (kind === 'Service') return [spec.selector];
      if (kind === 'PodDisruptionBudget') return [spec.selector.matchLabels];
      if (kind === 'NetworkPolicy' && metadata.namespace === 'slipway-system')
        return [spec.podSelector.matchLabels];
      return [];
    });
    expect(selectors).toHaveLength(15);
    for (const selector of selectors) expect(labelSets).toContainEqual(expect.objectContaining(selector));
  });

  /** The only policy that selects the pods of a manifest; throws when there are none or several. */
  const policyOf = ({ kind, metadata, spec }: Manifest): Manifest => {
    const labels = kind === 'Pod' ? metadata.labels : spec.template.metadata?.labels;
    const own = manifests.filter(
      (one) => one.kind === 'NetworkPolicy' && one.metadata.namespace === 'slipway-system',
    );
    const [policy, ...others] = own.filter((one) =>
      Object.entries(one.spec.podSelector.matchLabels).every(([name, value]) => labels?.[name] === value),
    );
    if (!policy || others.length > 0) throw new Error(`expected one policy for ${metadata.name}`);
    return policy;
  };

  it('have no NetworkPolicies where the installation wants none', async () => {
    const without = await renderChart({
      crds: { keep: false },
      keys: { reseal: true },
      networkPolicy: { enabled: false },
    });
    expect(without.filter(({ kind }) => kind === 'NetworkPolicy')).toEqual([]);
  });

  it('reach kube-apiserver, and nothing else, if they are those of a Job', () => {
    const jobs = pods.filter(({ kind }) => kind === 'Job');
    const ports = [443, 6443].map((port) => ({ port, protocol: 'TCP' }));
    for (const job of jobs) expect(policyOf(job).spec.egress).toEqual([{ ports }]);
    const weightOf = ({ metadata }: Manifest) => Number(metadata.annotations?.['helm.sh/hook-weight'] ?? 0);
    const hooks = jobs.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook']);
    expect(hooks).toHaveLength(2);
    for (const job of hooks) {
      const policy = policyOf(job);
      expect(policy.metadata.annotations).toMatchObject({
        'helm.sh/hook': job.metadata.annotations?.['helm.sh/hook'],
        'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
      });
      expect(weightOf(policy)).toBeLessThan(weightOf(job));
    }
  });

  it('reach the API for its test, whoever else may', async () => {
    const apiFrom = [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }];
    const rendered = await renderChart({ networkPolicy: { apiFrom } });
    const test = find(rendered, 'Pod', '-test');
    const { egress } = find(rendered, 'NetworkPolicy', '-test').spec;
    const api = find(rendered, 'Deployment', '-apiserver').spec.template;
    expect(egress).toHaveLength(2);
    const [{ podSelector }] = egress[1].to;
    expect(api.metadata.labels).toMatchObject(podSelector.matchLabels);
    const [{ from }] = find(rendered, 'NetworkPolicy', '-apiserver').spec.ingress;
    expect(from).toEqual([...apiFrom, { podSelector: { matchLabels: expect.any(Object) } }]);
    expect(test.metadata.labels).toMatchObject(from[1].podSelector.matchLabels);
    const untested = await renderChart({ networkPolicy: { apiFrom }, tests: { enabled: false } });
    expect(find(untested, 'NetworkPolicy', '-apiserver').spec.ingress[0].from).toEqual(apiFrom);
  });

  it('are replaced only when the configuration changes', async () => {
    const checksum = (from: Manifest[]) =>
      find(from, 'Deployment', 'operator').spec.template.metadata.annotations['checksum/config'];
    expect(checksum(await renderChart({ crds: { keep: false } }))).toBe(checksum(manifests));
    expect(checksum(await renderChart({ rpc: { holdSeconds: 5 } }))).not.toBe(checksum(manifests));
  });
});
