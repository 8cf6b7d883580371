import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSealWebhook } from '../../admission/testing/webhook.ts';
import { secretType } from '../../core/api/resources/resources.ts';
import type { SecretResource } from '../../core/api/resources/secret.ts';
import { createKube, type KubeClient } from '../../core/kube/client/client.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { run } from '../../hack/lib/run.ts';
import { dumpEtcd, type EtcdEntry } from '../../hack/testenv/dump.ts';
import { startTestEnvironment, type TestEnvironment } from '../../hack/testenv/environment.ts';
import { crdFiles } from '../../hack/testenv/globalSetup.ts';
import { ensureTools } from '../../hack/tools/ensure.ts';
import { startTestApi, type TestApi, testSealer } from '../testing/harness.ts';

const sealed = 'sealed';
const open = 'open';
const service = 'service';
const user = { userId: 'ann', workspaceId: 'one', namespace: sealed };

/** The encodings in which bytes may be stored: raw, hexadecimal, base64 at each of three offsets. */
function formsOf(bytes: Buffer): Buffer[] {
  const hex = bytes.toString('hex');
  // The preceding bytes shift the characters; those that depend on neighbours are omitted.
  const base64 = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    return text.slice(shift === 0 ? 0 : 4, Math.floor((shift + bytes.length) / 3) * 4);
  });
  return [bytes, ...[hex, hex.toUpperCase(), ...base64].map((text) => Buffer.from(text))];
}

function keysWith(entries: EtcdEntry[], canary: Buffer): string[] {
  // Again as base64: the data of a Secret is already base64, and may be encoded again.
  const forms = [...formsOf(canary), ...formsOf(Buffer.from(canary.toString('base64')))];
  return entries
    .filter(({ key, value }) => forms.some((form) => value.includes(form) || key.includes(form)))
    .map(({ key }) => key.toString());
}

describe.each([
  ['with encryption by the cluster', ['secrets.slipway.dev']],
  ['without encryption', []],
])('a dump of etcd, %s', (_how, encryptedResources) => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-at-rest-'));
  let environment: TestEnvironment;
  let kube: KubeClient;
  let api: TestApi;
  let webhook: Server;
  let kubectl: string;

  beforeAll(async () => {
    ({ kubectl } = await ensureTools(['kubectl']));
    environment = await startTestEnvironment({ crdFiles: crdFiles(), encryptedResources });
    const log = silentLog;
    kube = createKube({ kubeconfigPath: environment.kubeconfig, log, clock: systemClock });
    for (const name of [sealed, open, service]) {
      await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
    api = await startTestApi({ kube, users: [user], namespace: service });
    const place = { name: 'at-rest', namespace: sealed, folder };
    webhook = await startSealWebhook(kube, place, { sealer: testSealer, serviceNamespace: service });
  });
  afterAll(async () => {
    webhook?.close();
    await api?.close();
    await kube?.close();
    await environment?.stop();
    rmSync(folder, { recursive: true });
  });

  const manifestOf = (name: string, namespace: string, canary: Buffer): SecretResource => ({
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Secret',
    metadata: { name, namespace },
    spec: { type: 'note', data: canary.toString('base64') },
  });
  const isEncrypted = ({ value }: EtcdEntry) => value.toString('latin1').startsWith('k8s:enc:secretbox');

  it('contains no byte of a secret created over REST', async () => {
    const canary = randomBytes(48);
    const body = { name: 'by-rest', type: 'note', data: canary.toString('base64') };
    const headers = { 'Idempotency-Key': 'once' };
    expect((await api.request('/v1alpha/secrets', { body, headers })).status).toBe(201);
    const entries = await dumpEtcd(environment.stateFile);
    expect(keysWith(entries, canary)).toEqual([]);
    const stored = entries.find(({ key }) => key.toString().endsWith(`/secrets/${sealed}/by-rest`));
    expect(stored && isEncrypted(stored)).toBe(encryptedResources.length > 0);
  });

  it.each([
    ['apply', ['apply']],
    ['apply --server-side', ['apply', '--server-side']],
    ['create --save-config', ['create', '--save-config']],
  ])('contains no byte of a secret created with kubectl %s', async (how, verb) => {
    const canary = randomBytes(48);
    const name = how.replace(/[^a-z]+/g, '-');
    const input = JSON.stringify(manifestOf(name, sealed, canary));
    await run(kubectl, [...verb, '-f', '-'], { env: { KUBECONFIG: environment.kubeconfig }, input });
    expect(await kube.get(secretType, { namespace: sealed, name })).toBeDefined();
    expect(keysWith(await dumpEtcd(environment.stateFile), canary)).toEqual([]);
  });

  it('would contain them: unsealed data is stored in plain text unless the cluster encrypts it', async () => {
    const canary = randomBytes(48);
    await kube.create(secretType, manifestOf('unsealed', open, canary));
    const found = keysWith(await dumpEtcd(environment.stateFile), canary);
    const key = `/registry/slipway.dev/secrets/${open}/unsealed`;
    expect(found).toEqual(encryptedResources.length > 0 ? [] : [key]);
  });
});
