import type { Server } from 'node:https';
import { stringify } from 'yaml';
import { startSealWebhook } from '../../../admission/testing/webhook.ts';
import { labels } from '../../../core/api/names.ts';
import type { Kube, KubeObject } from '../../../core/kube/kube.ts';
import { secretDataOf } from '../../../core/kube/objects.ts';
import { sceneSealer } from '../../../core/outbox/testing/scene.ts';
import { helmSkipReason, renderChart } from '../../chart/render.ts';
import { projectRoot } from '../../lib/paths.ts';
import { run } from '../../lib/run.ts';
import { commandsUnder } from '../../lib/runbook.ts';
import { ensureTools } from '../../tools/ensure.ts';
import { typeOf } from '../objects.ts';
import { deploymentType } from '../services.ts';
import { home, system } from './world.ts';

export const passphrase = 'a passphrase for tests';

const lineOf = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}\n`;
/** The master key is that of `sceneSealer`. */
export const keys = { 'master-keys': lineOf('k1', 7), 'access-keys': lineOf('k1', 3) };
/** What another installation made for itself. */
export const otherKeys = { 'master-keys': lineOf('k9', 8), 'access-keys': lineOf('k1', 3) };

/** What the chart would have installed, as far as a backup sees it. */
export async function install<K extends Kube>(kube: K, own: Record<string, string> = keys): Promise<K> {
  const create = <T extends KubeObject>(object: T) => kube.create(typeOf(object), object);
  const namespace = { apiVersion: 'v1', kind: 'Namespace' };
  await create({ ...namespace, metadata: { name: system } });
  await create({ ...namespace, metadata: { name: home, labels: { [labels.workspace]: 'default' } } });
  const secrets = { 'slipway-keys': own, 'slipway-tls': { 'tls.key': 'x' } };
  for (const [name, texts] of Object.entries(secrets)) {
    const metadata = { name, namespace: system };
    await create({ apiVersion: 'v1', kind: 'Secret', metadata, data: secretDataOf(texts) });
  }
  const volumes = Object.keys(secrets).map((name) => ({ name, secret: { secretName: name } }));
  for (const component of ['apiserver', 'operator', 'webhook']) {
    const matchLabels = { 'app.kubernetes.io/component': component };
    const chart = { 'app.kubernetes.io/part-of': 'slipway', 'app.kubernetes.io/managed-by': 'Helm' };
    const metadata = { name: component, namespace: system, labels: { ...matchLabels, ...chart } };
    const containers = [{ name: 'c', image: 'i' }];
    const template = { metadata: { labels: matchLabels }, spec: { containers, volumes } };
    const spec = { replicas: 2, selector: { matchLabels }, template };
    await create({ apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec });
    const status = { observedGeneration: 99, replicas: 2, readyReplicas: 2, availableReplicas: 2 };
    await kube.patch(deploymentType, metadata, { status }, 'status');
  }
  return kube;
}

/** The chart's policies, and the webhook as it runs once it has the restored keys. */
export async function guard(to: Kube, kubeconfig: string, folder: string): Promise<Server> {
  const place = { name: 'seal', namespace: home, folder };
  const server = await startSealWebhook(to, place, { sealer: sceneSealer, serviceNamespace: system });
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
export function follow(heading: string, kubeconfig: string, folder: string): Promise<string> {
  const commands = commandsUnder('docs/operations.md', heading).replaceAll('DIR=backup', `DIR=${folder}`);
  const env = { KUBECONFIG: kubeconfig, BACKUP_PASSPHRASE: passphrase };
  return run('bash', ['-euo', 'pipefail', '-c', `${programs}${commands}`], { cwd: projectRoot, env });
}
