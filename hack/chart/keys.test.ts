import { X509Certificate } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { currentKeyOf, keyringFiles, parseKeyring } from '../../core/accounts/keyring.ts';
import { parseMasterKeys } from '../../core/accounts/seal.ts';
import { chart, find, helmSkipReason, type Manifest, renderChart, secretText } from './render.ts';

const suite = helmSkipReason() ? describe.skip : describe;
const keptResourcesOf = (manifests: Manifest[]) =>
  manifests
    .filter(({ metadata }) => metadata.annotations?.['helm.sh/resource-policy'] === 'keep')
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`);

/** Renders the chart as in a cluster whose Secret of keys has this data; helm looks nothing up without a cluster. */
async function renderUpgrade(data: Record<string, string>): Promise<Manifest[]> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-chart-'));
  try {
    cpSync(chart, folder, { recursive: true });
    const file = join(folder, 'templates', 'keys.yaml');
    const found = `(dict "data" (fromJson ${JSON.stringify(JSON.stringify(data))}))`;
    const text = readFileSync(file, 'utf8');
    const changed = text.replace(/\(lookup [^()]*\(include "slipway.keysSecret" \.\)\)/, () => found);
    if (changed === text) throw new Error('the template looks no keys up');
    writeFileSync(file, changed);
    return await renderChart({}, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

suite(`chart keys${helmSkipReason() ? ` (skipped: ${helmSkipReason()})` : ''}`, () => {
  let manifests: Manifest[];
  beforeAll(async () => {
    manifests = await renderChart();
  });

  it('contain a key of 256 random bits for each purpose, in the format that the service reads', () => {
    const keys = find(manifests, 'Secret', '-keys');
    expect(parseMasterKeys(secretText(keys, 'master-keys')).currentId).toBe('k1');
    for (const file of Object.values(keyringFiles)) {
      expect(currentKeyOf(parseKeyring(secretText(keys, file), file))).toHaveLength(32);
    }
    expect(Buffer.from(secretText(keys, 'api-key-pepper'), 'base64')).toHaveLength(32);
  });

  it('serve one purpose each: no two are the same', () => {
    const { data = {} } = find(manifests, 'Secret', '-keys');
    expect(Object.keys(data).sort()).toEqual(
      [...Object.values(keyringFiles), 'api-key-pepper', 'master-keys'].sort(),
    );
    expect(new Set(Object.values(data)).size).toBe(Object.keys(data).length);
  });

  it('differ between installations', async () => {
    const others = await renderChart();
    for (const [secret, key] of [
      ['-keys', 'master-keys'],
      ...Object.values(keyringFiles).map((file) => ['-keys', file] as const),
      ['-keys', 'api-key-pepper'],
      ['-bootstrap', 'keyId'],
      ['-bootstrap', 'keySecret'],
    ] as const) {
      const [one, other] = [manifests, others].map((from) => secretText(find(from, 'Secret', secret), key));
      expect(one).not.toBe(other);
    }
  });

  it('contain a first API key of letters and digits only, so that the token has one dot', () => {
    const bootstrap = find(manifests, 'Secret', '-bootstrap');
    expect(secretText(bootstrap, 'keyId')).toMatch(/^bootstrap[a-z0-9]{12}$/);
    expect(secretText(bootstrap, 'keySecret')).toMatch(/^[A-Za-z0-9]{48}$/);
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

  it('of an installation stay as they are; engines and chains keep the former gateway-key', async () => {
    const former = Buffer.from('the former gateway key, 32 bytes or longer');
    const existing = { 'gateway-key': former.toString('base64'), 'cursor-keys': 'Y3Vyc29ycw==' };
    const keys = find(await renderUpgrade(existing), 'Secret', '-keys');
    expect(keys.data).toMatchObject(existing);
    const currentIn = (file: string) => currentKeyOf(parseKeyring(secretText(keys, file), file));
    for (const file of ['engine-keys', 'service-account-keys']) expect(currentIn(file)).toEqual(former);
    expect(currentIn('access-keys')).not.toEqual(former);
  });

  it('survive an uninstall together with the data', () => {
    expect(keptResourcesOf(manifests)).toEqual(
      expect.arrayContaining([
        'Namespace slipway-default',
        'Secret slipway-keys',
        'Secret slipway-bootstrap',
        'CustomResourceDefinition networks.slipway.dev',
        'CustomResourceDefinition secrets.slipway.dev',
      ]),
    );
    expect(manifests.some(({ kind }) => kind === 'Job')).toBe(false);
  });

  it('are removed together with the data on request, by a Job that runs before the uninstall', async () => {
    const purging = await renderChart({ crds: { keep: false } });
    expect(keptResourcesOf(purging)).toEqual([]);
    expect(find(purging, 'Job', '-purge').metadata.annotations?.['helm.sh/hook']).toBe('pre-delete');
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
