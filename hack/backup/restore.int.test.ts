import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AccountsApi, accountsApiOver, type Person } from '../../apiserver/testing/accountsApi.ts';
import { eventually } from '../../apiserver/testing/eventually.ts';
import type { Answer } from '../../apiserver/testing/harness.ts';
import { labels } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { createKube, type KubeClient } from '../../core/kube/client/client.ts';
import type { Pod } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createReferenceReader } from '../../operator/network/references.ts';
import { startOperator } from '../../operator/network/testing/operator.ts';
import { startTestEnvironment } from '../testenv/environment.ts';
import { crdFiles } from '../testenv/globalSetup.ts';
import { ensureTools } from '../tools/ensure.ts';
import { unpackBackup } from './contents.ts';
import { decryptBackup } from './encryption.ts';
import { restore } from './restore.ts';
import { deploymentType } from './services.ts';
import { follow, guard, install, passphrase } from './testing/installation.ts';
import {
  everything,
  factsOf,
  home,
  keys,
  linksIn,
  makeWorld,
  restorePlainly,
  running,
  sealer,
  system,
} from './testing/world.ts';

/**
 * A backup of one cluster, restored into a new one by the commands of docs/operations.md, and over what another tool restored into
 * a third one. There are no nodes, so pods do not run. The webhook and the policies of the chart guard the new cluster.
 */

const folder = mkdtempSync(join(tmpdir(), 'slipway-backup-'));
const hot = Buffer.alloc(32, 9).toString('base64');

async function startCluster(installedKeys: Record<string, string>) {
  const environment = await startTestEnvironment({ crdFiles: crdFiles() });
  const { kubeconfig } = environment;
  const kube = createKube({ kubeconfigPath: kubeconfig, log: silentLog, clock: systemClock });
  // kube-apiserver refuses kinds for a moment after their definitions are established.
  await eventually(() => everything(kube).catch(() => undefined), Boolean);
  await install(kube, installedKeys);
  return { kube, kubeconfig, stop: () => kube.close().then(environment.stop) };
}
type Cluster = Awaited<ReturnType<typeof startCluster>>;

const apiOver = ({ kube }: Cluster) => accountsApiOver(kube, { users: [], sealer, namespace: system });
const create = (api: AccountsApi<KubeClient>) => {
  const headers = { 'Idempotency-Key': 'one' };
  return api.ask(ann.token, '/v1alpha/networks', {
    body: { name: 'by-rest', spec: aNetwork().spec },
    headers,
  });
};

let from: Cluster;
let to: Cluster;
let other: Cluster;
let ann: Person;
let secretId: string;
let answer: Answer;
let after: AccountsApi<KubeClient>;
let output: string;
let webhook: Server;
beforeAll(async () => {
  await ensureTools(['kubectl']);
  const otherKeys = { ...keys, 'master-keys': `k9:${Buffer.alloc(32, 8).toString('base64')}\n` };
  [from, to, other] = await Promise.all([
    startCluster(keys),
    startCluster(otherKeys),
    startCluster(otherKeys),
  ]);
  const before = await apiOver(from);
  ann = await before.join('ann@example.com', 'developer');
  secretId = (await before.post(ann.token, '/v1alpha/secrets', { name: 'hot-key', type: 'key', data: hot }))
    .id;
  answer = await create(before);
  await before.api.close();
  await from.kube.patch(networkType, { namespace: home, name: 'by-rest' }, { status: running }, 'status');
  await makeWorld(from.kube);
  webhook = await guard(to.kube, to.kubeconfig, folder);
  output = await follow('Back up', from.kubeconfig, folder);
  output += await follow('Restore', to.kubeconfig, folder);
  after = await apiOver(to);
});
afterAll(async () => {
  await after?.api.close();
  webhook?.close();
  await Promise.all([from, to, other].map((cluster) => cluster?.stop()));
  rmSync(folder, { recursive: true });
});

const namesIn = async ({ kube }: Cluster) => Object.keys(await linksIn(kube)).sort();
const restoreInto = ({ kube }: Cluster, takesOver = false) => {
  const bytes = decryptBackup(readFileSync(join(folder, 'slipway.backup')), passphrase);
  return restore({ kube, backup: unpackBackup(bytes), say: () => undefined, takesOver });
};

it('every object is there once', async () => {
  expect(await namesIn(to)).toEqual(await namesIn(from));
});

it('ids, URLs, names and owners are those of before', async () => {
  expect(await factsOf(to.kube)).toEqual(await factsOf(from.kube));
  expect(await linksIn(to.kube)).toEqual(await linksIn(from.kube));
});

it('the file holds nothing readable', () => {
  const text = readFileSync(join(folder, 'slipway.backup')).toString('latin1');
  for (const word of ['by-rest', ...Object.keys(keys)]) expect(text).not.toContain(word);
});

it('the API keys of users work, and nobody else gets in', async () => {
  expect((await after.ask(ann.token, '/me')).json.user.id).toBe(ann.userId);
  expect((await after.ask(`${ann.token}x`, '/me')).status).toBe(401);
});

it('a secret opens for its owner', async () => {
  const { json } = await after.ask(ann.token, `/v1alpha/secrets/${secretId}`);
  expect(json.data).toBe(hot);
});

it('a repeated Idempotency-Key gets the answer of the first request', async () => {
  const { status, json } = await create(after);
  expect([answer.status, status]).toEqual([201, 201]);
  expect(json).toEqual(answer.json);
});

it('a repeated restore adds nothing', async () => {
  await restoreInto(to);
  expect(await namesIn(to)).toEqual(await namesIn(from));
});

it('an installation in use is left alone, and the message names what is there', async () => {
  const replicasIn = async ({ kube }: Cluster) => {
    const { items } = await kube.list(deploymentType, { namespace: system });
    return items.map(({ spec, metadata }) => [spec.replicas, metadata.annotations]);
  };
  const asBefore = Array.from({ length: 3 }, () => [2, undefined]);
  expect(await replicasIn(to)).toEqual(asBefore);
  await expect(restoreInto(from)).rejects.toThrow(
    /^This installation is in use: \w+ \S+ is not of this backup/,
  );
  expect(await replicasIn(from)).toEqual(asBefore);
});

it('what another tool restored has its ids and URLs, and gets the rest where that is asked for', async () => {
  await restorePlainly(from.kube, other.kube);
  expect(await factsOf(other.kube)).toEqual(await factsOf(from.kube));
  await expect(restoreInto(other)).rejects.toThrow('TAKE_OVER=yes');
  await restoreInto(other, true);
  expect(await namesIn(other)).toEqual(await namesIn(from));
  expect(await factsOf(other.kube)).toEqual(await factsOf(from.kube));
  expect(await linksIn(other.kube)).toEqual(await linksIn(from.kube));
});

it('networks begin a new chain without an error, and say that the former one ended', async () => {
  expect(output).toContain('networks that come back with a new chain: ');
  expect(output).toContain(`${home}/by-rest`);
  const deps = { references: createReferenceReader(sealer) };
  const operator = startOperator({ kube: to.kube, namespace: home, deps });
  try {
    const isSeen = ({ status }: NetworkResource) => status?.message !== 'restored from a backup';
    const network = await operator.reach('by-rest', isSeen);
    expect(network.status).toMatchObject({
      state: 'Pending',
      incarnation: { number: 1 },
      previousChain: { enclaveID: 'former', reason: 'the backup has no copy of its data' },
    });
    const isOurs = (pod: Pod) => pod.metadata.labels?.[labels.network] === answer.json.id;
    expect(await operator.caches.pods.waitFor(isOurs, { timeoutMs: 120_000 })).toBeDefined();
  } finally {
    await operator.stop();
  }
});
