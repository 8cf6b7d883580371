import { find, helmErrorFor, helmSkipReason, type Manifest, renderChart } from './render.ts';

const suite = helmSkipReason() ? describe.skip : describe;
const components = ['apiserver', 'webhook', 'operator', 'forks', 'compilers'];
const podOf = (manifests: Manifest[], component: string) =>
  find(manifests, 'Deployment', `-${component}`).spec.template;

suite(`chart availability${helmSkipReason() ? ` (skipped: ${helmSkipReason()})` : ''}`, () => {
  let manifests: Manifest[];
  beforeAll(async () => {
    manifests = await renderChart({ forkSourcesExistingSecret: 'mine', compilers: { replicas: 2 } });
  });

  it.each(components)('prefers different nodes for the replicas of the %s, of one rollout', (component) => {
    const { metadata, spec } = podOf(manifests, component);
    const [{ weight, podAffinityTerm }] =
      spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution;
    expect([weight, podAffinityTerm.topologyKey]).toEqual([100, 'kubernetes.io/hostname']);
    expect(podAffinityTerm.matchLabelKeys).toEqual(['pod-template-hash']);
    expect(metadata.labels).toMatchObject(podAffinityTerm.labelSelector.matchLabels);
    expect(podAffinityTerm.labelSelector.matchLabels['app.kubernetes.io/component']).toBe(component);
  });

  it.each(components)(
    'spreads the replicas of the %s over zones, then nodes, and never leaves one out',
    (component) => {
      const { spec, metadata } = podOf(manifests, component);
      const keys = spec.topologySpreadConstraints.map(
        ({ topologyKey }: { topologyKey: string }) => topologyKey,
      );
      expect(keys).toEqual(['topology.kubernetes.io/zone', 'kubernetes.io/hostname']);
      for (const { whenUnsatisfiable, labelSelector } of spec.topologySpreadConstraints) {
        expect(whenUnsatisfiable).toBe('ScheduleAnyway');
        expect(metadata.labels).toMatchObject(labelSelector.matchLabels);
      }
    },
  );

  it('takes an own affinity and an own spread instead', async () => {
    const affinity = { nodeAffinity: {} };
    const constraint = {
      maxSkew: 1,
      topologyKey: 'rack',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { 'app.kubernetes.io/component': 'operator' } },
    };
    const own = { affinity, topologySpreadConstraints: [constraint] };
    const rendered = await renderChart({ operator: own });
    expect(podOf(rendered, 'operator').spec).toMatchObject(own);
    expect(podOf(rendered, 'apiserver').spec.topologySpreadConstraints).toHaveLength(2);
    const blind = { topologySpreadConstraints: [{ maxSkew: 1 }] };
    expect(await helmErrorFor({ operator: blind })).toContain('topologyKey');
  });

  it.each(components)(
    'lets an eviction take one replica of the %s at a time, and those that are ill',
    (component) => {
      const { spec } = find(manifests, 'PodDisruptionBudget', `-${component}`);
      expect(spec).toMatchObject({ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' });
      expect(podOf(manifests, component).metadata.labels).toMatchObject(spec.selector.matchLabels);
    },
  );

  it('has no budget for a single replica, which no drain could ever evict', async () => {
    const rendered = await renderChart({ operator: { replicas: 1 } });
    const budgets = rendered
      .filter(({ kind }) => kind === 'PodDisruptionBudget')
      .map(({ metadata }) => metadata.name);
    expect(budgets).toEqual(['slipway-apiserver', 'slipway-webhook']);
  });

  it.each(components.filter((name) => name !== 'operator'))(
    'gives the %s time to drain and to end what it answers before it is killed',
    async (component) => {
      const longest = { [component]: { drainMs: 20_000 } };
      const rendered = await renderChart({ forkSourcesExistingSecret: 'mine', ...longest });
      const { spec } = podOf(rendered, component);
      expect(spec.containers[0].env).toContainEqual({ name: 'DRAIN_MS', value: '20000' });
      expect(spec.terminationGracePeriodSeconds).toBe(30);
      expect(await helmErrorFor({ [component]: { drainMs: 20_001 } })).toContain('drainMs');
    },
  );
});
