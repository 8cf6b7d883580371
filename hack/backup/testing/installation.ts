import { once } from 'node:events';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { stringify } from 'yaml';
import { createAdmissionListener } from '../../../admission/listener.ts';
import { admissionMetricTable } from '../../../admission/metrics.ts';
import { webhookType as admissionType, sealWebhook } from '../../../admission/testing/webhook.ts';
import { createTlsServer } from '../../../admission/tlsServer.ts';
import { writeCertificate } from '../../../apiserver/testing/certificate.ts';
import { labels } from '../../../core/api/names.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import { coreSecretType, namespaceType } from '../../../core/kube/types.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { createMetrics } from '../../../core/lib/metrics.ts';
import { helmSkipReason, renderChart } from '../../chart/render.ts';
import { projectRoot } from '../../lib/paths.ts';
import { run, tryRun } from '../../lib/run.ts';
import { commandsUnder } from '../../lib/runbook.ts';
import { ensureTools } from '../../tools/ensure.ts';
import { deploymentType } from '../services.ts';
import { home, keys as keysOfTests, sealer, system } from './world.ts';

export const passphrase = 'a passphrase for tests';

/** What the chart would have installed, as far as a backup sees it. */
export async function install<K extends Kube>(
  kube: K,
  keys: Record<string, string> = keysOfTests,
): Promise<K> {
  for (const name of [system, home]) {
    const marks = name === home ? { labels: { [labels.workspace]: 'default' } } : {};
    await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...marks } });
  }
  const secrets = { 'slipway-keys': keys, 'slipway-tls': { 'tls.key': 'x' } };
  for (const [name, texts] of Object.entries(secrets)) {
    const data = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, btoa(text)]));
    const metadata = { name, namespace: system };
    await kube.create(coreSecretType, { apiVersion: 'v1', kind: 'Secret', metadata, data });
  }
  const volumes = Object.keys(secrets).map((name) => ({ name, secret: { secretName: name } }));
  for (const component of ['apiserver', 'operator', 'webhook']) {
    const own = { 'app.kubernetes.io/component': component };
    const installed = { 'app.kubernetes.io/part-of': 'slipway', 'app.kubernetes.io/managed-by': 'Helm' };
    const metadata = { name: component, namespace: system, labels: { ...own, ...installed } };
    const template = {
      metadata: { labels: own },
      spec: { containers: [{ name: 'c', image: 'i' }], volumes },
    };
    const spec = { replicas: 2, selector: { matchLabels: own }, template };
    await kube.create(deploymentType, { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec });
    const status = { observedGeneration: 99, replicas: 2, readyReplicas: 2, availableReplicas: 2 };
    await kube.patch(deploymentType, metadata, { status }, 'status');
  }
  return kube;
}

/** The chart's policies, and the webhook as it runs once it has the restored keys. */
export async function guard(to: Kube, kubeconfig: string, folder: string): Promise<Server> {
  writeCertificate(folder);
  const metrics = createMetrics([admissionMetricTable]);
  const listener = createAdmissionListener({ sealer, serviceNamespace: system, log: silentLog, metrics });
  const server = await createTlsServer({ folder, listener, clock: systemClock, log: silentLog });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await to.create(admissionType, sealWebhook({ name: 'seal', namespace: home, port, folder }));
  if (helmSkipReason()) return server;
  const { kubectl } = await ensureTools(['kubectl']);
  const policies = (await renderChart()).filter(({ kind }) => kind.startsWith('ValidatingAdmissionPolicy'));
  const input = policies.map((policy) => stringify(policy)).join('---\n');
  await run(kubectl, ['apply', '-f', '-'], { env: { KUBECONFIG: kubeconfig }, input });
  return server;
}

/** Those of this machine, but for helm: the chart is there, and so are the packages, whatever the times of their files say. */
const programs = `helm() { :; }
make() { command make -o node_modules/.installed "$@"; }
`;

/** Runs the commands of docs/operations.md on a cluster. The backup is in `folder`. */
export async function follow(heading: string, kubeconfig: string, folder: string): Promise<string> {
  const env = { KUBECONFIG: kubeconfig, BACKUP_PASSPHRASE: passphrase };
  const commands = commandsUnder('docs/operations.md', heading).replaceAll('DIR=backup', `DIR=${folder}`);
  const options = { cwd: projectRoot, env };
  const { code, output } = await tryRun(
    'bash',
    ['-euo', 'pipefail', '-c', `${programs}${commands}`],
    options,
  );
  if (code !== 0) throw new Error(output);
  return output;
}
