import { find, lintChart, type Manifest, renderChart, whyNoHelm } from './render.ts';

const suite = whyNoHelm() ? describe.skip : describe;
const podOf = (manifest: Manifest) => (manifest.kind === 'Pod' ? manifest.spec : manifest.spec.template.spec);

suite(`pods of the chart${whyNoHelm() ? ` (skipped: ${whyNoHelm()})` : ''}`, () => {
  let manifests: Manifest[];
  let pods: Manifest[];
  beforeAll(async () => {
    // With these the Jobs of an uninstall and of a key rotation are there as well.
    manifests = await renderChart({ crds: { keep: false }, keys: { reseal: true } });
    pods = manifests.filter(({ kind }) => ['Deployment', 'Pod', 'Job'].includes(kind));
  });

  it('passes helm lint', async () => {
    expect(await lintChart()).toContain('0 chart(s) failed');
  });

  it('are two Deployments, the test, the purge and the re-sealing', () => {
    expect(pods.map(({ metadata }) => metadata.name).sort()).toEqual([
      'slipway-apiserver',
      'slipway-operator',
      'slipway-purge',
      'slipway-reseal-1',
      'slipway-test',
    ]);
  });

  it('hold to the restricted Pod Security standard', () => {
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

  it('say what they need and are bounded in memory', () => {
    for (const container of pods.flatMap((manifest) => podOf(manifest).containers)) {
      expect(container.resources).toMatchObject({
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      });
    }
  });

  it('roll without an interruption', () => {
    for (const name of ['apiserver', 'operator']) {
      const { spec } = find(manifests, 'Deployment', name);
      expect(spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
      expect(spec.template.spec.terminationGracePeriodSeconds).toBe(30);
    }
  });

  it('give the operator neither the pepper nor the first API key', () => {
    const { volumes } = podOf(find(manifests, 'Deployment', 'operator'));
    const keys = volumes.find(({ name }: { name: string }) => name === 'keys');
    expect(keys.secret.items.map(({ key }: { key: string }) => key)).toEqual(['master-keys', 'gateway-key']);
    expect(JSON.stringify(volumes)).not.toContain('bootstrap');
  });

  it('give the API server no fork sources', () => {
    expect(JSON.stringify(podOf(find(manifests, 'Deployment', 'apiserver')).volumes)).not.toContain('fork');
  });

  it('are what Services, budgets and policies select', () => {
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
    expect(selectors).toHaveLength(7);
    for (const selector of selectors) expect(labelSets).toContainEqual(expect.objectContaining(selector));
  });

  it('are replaced when the configuration changes, and only then', async () => {
    const checksum = (from: Manifest[]) =>
      find(from, 'Deployment', 'operator').spec.template.metadata.annotations['checksum/config'];
    expect(checksum(await renderChart({ crds: { keep: false } }))).toBe(checksum(manifests));
    expect(checksum(await renderChart({ rpc: { holdSeconds: 5 } }))).not.toBe(checksum(manifests));
  });
});
