import { X509Certificate } from 'node:crypto';
import { find, helmSkipReason, type Manifest, renderChart, secretText } from './render.ts';

const suite = helmSkipReason() ? describe.skip : describe;
const keptResourcesOf = (manifests: Manifest[]) =>
  manifests
    .filter(({ metadata }) => metadata.annotations?.['helm.sh/resource-policy'] === 'keep')
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`);

const jobOf = (manifests: Manifest[]) => find(manifests, 'Job', '-keys').spec.template.spec;
const variablesOf = (manifests: Manifest[]): Record<string, string> =>
  Object.fromEntries(
    jobOf(manifests).containers[0].env.map(({ name, value }: { name: string; value: string }) => [
      name,
      value,
    ]),
  );

suite(`chart keys${helmSkipReason() ? ` (skipped: ${helmSkipReason()})` : ''}`, () => {
  let manifests: Manifest[];
  beforeAll(async () => {
    manifests = await renderChart();
  });

  it('are in no manifest, which each revision of the release would keep and a rollback bring back', () => {
    const secrets = manifests.filter(({ kind }) => kind === 'Secret').map(({ metadata }) => metadata.name);
    expect(secrets.sort()).toEqual(['slipway-fork-sources', 'slipway-webhook-tls']);
  });

  it('come from a Job before each installation and upgrade, after the rights and the policy that it needs', () => {
    const hooks = manifests.filter(({ metadata }) => metadata.name === 'slipway-keys');
    const weights = hooks.map(({ kind, metadata: { annotations = {} } }) => {
      expect(annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade');
      expect(annotations['helm.sh/hook-delete-policy']).toBe('before-hook-creation,hook-succeeded');
      return [kind, Number(annotations['helm.sh/hook-weight'])];
    });
    expect(Object.fromEntries(weights)).toEqual({
      ServiceAccount: -10,
      Role: -10,
      RoleBinding: -10,
      NetworkPolicy: -10,
      Job: -5,
    });
    expect(jobOf(manifests).containers[0].command).toEqual(['node', '/app/keys.js']);
  });

  it('are generated where the operator may run, with its node selector and tolerations', async () => {
    const operator = {
      nodeSelector: { pool: 'infra' },
      tolerations: [{ key: 'infra', operator: 'Exists' }],
      priorityClassName: 'high',
    };
    expect(jobOf(await renderChart({ operator }))).toMatchObject(operator);
  });

  it('are left alone by uninstalls of Helm and prunes of Argo CD, and have the labels of the release', () => {
    const { labels, annotations } = JSON.parse(variablesOf(manifests).METADATA ?? '');
    expect(annotations).toMatchObject({
      'helm.sh/resource-policy': 'keep',
      'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
      'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
    });
    expect(labels).toEqual(find(manifests, 'ServiceAccount', '-keys').metadata.labels);
  });

  it('are reached by a Job that may read and change these two Secrets alone', () => {
    expect(find(manifests, 'Role', '-keys').rules).toEqual([
      {
        apiGroups: [''],
        resources: ['secrets'],
        verbs: ['get', 'patch'],
        resourceNames: ['slipway-keys', 'slipway-bootstrap'],
      },
      { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
    ]);
  });

  it('that the user brings need no Job', async () => {
    const one = await renderChart({ keys: { existingSecret: 'mine' } });
    expect(variablesOf(one)).toMatchObject({ KEYS_SECRET: '', BOOTSTRAP_SECRET: 'slipway-bootstrap' });
    expect(find(one, 'Role', '-keys').rules[0].resourceNames).toEqual(['slipway-bootstrap']);
    const none = await renderChart({ keys: { existingSecret: 'a' }, bootstrap: { existingSecret: 'b' } });
    expect(none.filter(({ metadata }) => metadata.name.startsWith('slipway-keys'))).toEqual([]);
  });

  it('contain a webhook certificate for its Service, signed by the CA given to kube-apiserver', () => {
    const tls = find(manifests, 'Secret', '-webhook-tls');
    const certificate = new X509Certificate(secretText(tls, 'tls.crt'));
    const [webhook] = find(manifests, 'MutatingWebhookConfiguration', '').webhooks;
    const ca = new X509Certificate(Buffer.from(webhook.clientConfig.caBundle, 'base64'));
    expect(certificate.checkHost('slipway-webhook.slipway-system.svc')).toBeDefined();
    expect(certificate.verify(ca.publicKey)).toBe(true);
    expect(Date.parse(certificate.validTo) - Date.now()).toBeGreaterThan(9 * 365 * 86_400_000);
  });

  it('survive an uninstall together with the data', () => {
    expect(keptResourcesOf(manifests)).toEqual(
      expect.arrayContaining([
        'Namespace slipway-default',
        'CustomResourceDefinition networks.slipway.dev',
        'CustomResourceDefinition secrets.slipway.dev',
      ]),
    );
    expect(manifests.some(({ metadata }) => metadata.name.endsWith('-purge'))).toBe(false);
  });

  it('are removed together with the data on request, by a Job that runs before the uninstall', async () => {
    const purging = await renderChart({ crds: { keep: false } });
    expect(keptResourcesOf(purging)).toEqual([]);
    expect(find(purging, 'Job', '-purge').metadata.annotations?.['helm.sh/hook']).toBe('pre-delete');
    const own = await renderChart({ crds: { keep: false }, keys: { existingSecret: 'mine' } });
    expect(find(own, 'Role', '-purge').rules).toEqual([
      {
        apiGroups: [''],
        resources: ['secrets'],
        verbs: ['delete'],
        resourceNames: ['slipway-bootstrap'],
      },
    ]);
  });

  it.each([
    ['keys', { keys: { existingSecret: 'mine' } }, '-keys'],
    ['the first API key', { bootstrap: { existingSecret: 'mine' } }, '-bootstrap'],
    ['the certificate', { webhook: { existingSecret: 'mine', caBundle: 'Q0E=' } }, '-webhook-tls'],
    ['fork sources', { forkSourcesExistingSecret: 'mine' }, '-fork-sources'],
  ])('can be supplied by the user: %s', async (_what, values, generated) => {
    const own = await renderChart(values);
    const secrets = own.filter(({ kind }) => kind === 'Secret').map(({ metadata }) => metadata.name);
    expect(secrets).not.toContain(`slipway${generated}`);
    const deployments = own.filter(({ kind }) => kind === 'Deployment');
    expect(JSON.stringify(deployments)).toContain('"secretName":"mine"');
    expect(JSON.stringify(deployments)).not.toContain(`"slipway${generated}"`);
  });
});
