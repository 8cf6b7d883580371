import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { stringify } from 'yaml';
import { createAdmissionListener } from '../../../apiserver/admission/listener.ts';
import { admissionMetricTable } from '../../../apiserver/admission/metrics.ts';
import { webhookType as admissionType, sealWebhook } from '../../../apiserver/admission/testing/webhook.ts';
import { createTlsServer } from '../../../apiserver/admission/tlsServer.ts';
import { writeCertificate } from '../../../apiserver/testing/certificate.ts';
import { eventually } from '../../../apiserver/testing/eventually.ts';
import { labels } from '../../../core/api/names.ts';
import type { KubeClient } from '../../../core/kube/client/client.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { coreSecretType, namespaceType } from '../../../core/kube/types.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { createMetrics } from '../../../core/lib/metrics.ts';
import { sceneSealer } from '../../../core/outbox/testing/scene.ts';
import { helmSkipReason, renderChart } from '../../chart/render.ts';
import { projectRoot } from '../../lib/paths.ts';
import { run, tryRun } from '../../lib/run.ts';
import { commandsUnder } from '../../lib/runbook.ts';
import type { TestEnvironment } from '../../testenv/environment.ts';
import { ensureTools } from '../../tools/ensure.ts';
import { type AnyObject, deploymentType, slipwayTypes } from '../kinds.ts';
import { readAll } from '../read.ts';

export const system = 'slipway-system';
export const home = 'slipway-default';
export const passphrase = 'a passphrase for tests';
export const masterKeys = `k1:${Buffer.alloc(32, 7).toString('base64')}\n`;

/** What the chart would have installed, as far as a backup sees it. */
export async function install(kube: KubeClient, keys: string): Promise<void> {
  for (const name of [system, home]) {
    const marks = name === home ? { labels: { [labels.workspace]: 'default' } } : {};
    await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...marks } });
  }
  const data = { 'master-keys': Buffer.from(keys).toString('base64') };
  const metadata = { name: 'slipway-keys', namespace: system };
  await kube.create(coreSecretType, { apiVersion: 'v1', kind: 'Secret', metadata, data });
  for (const component of ['apiserver', 'operator']) {
    const own = { 'app.kubernetes.io/component': component };
    const installed = { 'app.kubernetes.io/part-of': 'slipway', 'app.kubernetes.io/managed-by': 'Helm' };
    const volumes = [{ name: 'keys', secret: { secretName: 'slipway-keys' } }];
    const containers = [{ name: component, image: 'service' }];
    await kube.create(deploymentType, {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
      metadata: { name: `slipway-${component}`, namespace: system, labels: { ...own, ...installed } },
      spec: {
        replicas: 2,
        selector: { matchLabels: own },
        template: { metadata: { labels: own }, spec: { containers, volumes } } as object & { spec: object },
      },
    });
  }
}

/** The chart's policies, and the webhook as it runs once it has the restored keys. */
export async function guard(
  to: KubeClient,
  { kubeconfig }: TestEnvironment,
  folder: string,
): Promise<Server> {
  writeCertificate(folder);
  const metrics = createMetrics([admissionMetricTable]);
  const deps = { sealer: sceneSealer, serviceNamespace: system, log: silentLog, metrics };
  const listener = createAdmissionListener(deps);
  const server = await createTlsServer({ folder, listener, clock: systemClock, log: silentLog });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await to.create(admissionType, sealWebhook({ name: 'seal', namespace: home, port, folder }));
  if (helmSkipReason()) return server;
  const { kubectl } = await ensureTools(['kubectl']);
  const manifests = await renderChart();
  const policies = manifests.filter(({ kind }) => kind.startsWith('ValidatingAdmissionPolicy'));
  const input = policies.map((policy) => stringify(policy)).join('---\n');
  await run(kubectl, ['apply', '-f', '-'], { env: { KUBECONFIG: kubeconfig }, input });
  return server;
}

/** Runs the commands of docs/operations.md on a cluster, with helm replaced: the chart is there. The backup is in `folder`. */
export async function follow(
  heading: string,
  { kubeconfig }: TestEnvironment,
  folder: string,
): Promise<string> {
  const bin = join(folder, 'bin');
  const path = [bin, join(projectRoot, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  const env = { KUBECONFIG: kubeconfig, PATH: path, BACKUP_PASSPHRASE: passphrase };
  const commands = commandsUnder('docs/operations.md', heading).replaceAll('DIR=backup', `DIR=${folder}`);
  const { code, output: said } = await tryRun('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: projectRoot,
    env,
  });
  if (code !== 0) throw new Error(said);
  return said;
}

/** What `follow` finds before the programs of the machine. */
export async function writePrograms(folder: string): Promise<void> {
  const programs = {
    helm: 'exit 0',
    // The packages of this checkout are installed, whatever the times of their files say.
    make: 'exec /usr/bin/make -o node_modules/.package-lock.json "$@"',
  };
  await run('mkdir', ['-p', join(folder, 'bin')]);
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }
}

export const everything = async (kube: KubeClient): Promise<Stored<AnyObject>[]> =>
  (await Promise.all(slipwayTypes.map((type) => readAll(kube, type)))).flat();
export const countsOf = (objects: AnyObject[]) =>
  Object.fromEntries(
    [...Map.groupBy(objects, ({ kind }) => kind)]
      .map(([kind, { length }]) => [kind, length] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/** kube-apiserver refuses kinds for a moment after their definitions are established. */
export const served = (kube: KubeClient) =>
  eventually(() => everything(kube).catch(() => undefined), Boolean);
