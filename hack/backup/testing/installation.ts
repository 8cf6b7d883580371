import { labels } from '../../../core/api/names.ts';
import type { Kube, KubeObject } from '../../../core/kube/kube.ts';
import { secretDataOf } from '../../../core/kube/objects.ts';
import { namespaceType } from '../../../core/kube/types.ts';
import { helmSkipReason } from '../../chart/render.ts';
import { projectRoot } from '../../lib/paths.ts';
import { run } from '../../lib/run.ts';
import { commandsUnder } from '../../lib/runbook.ts';
import { toolPath } from '../../tools/build.ts';
import { definitionType, readAll, typeOf } from '../objects.ts';
import { home, system } from './world.ts';

export const passphrase = 'a passphrase for tests';

const lineOf = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}\n`;
/** The master key is that of `sceneSealer`. */
export const keys = { 'master-keys': lineOf('k1', 7), 'access-keys': lineOf('k1', 3) };
/** What Helm puts on all that it installs. */
const ofHelm = {
  labels: { 'app.kubernetes.io/managed-by': 'Helm' },
  annotations: { 'meta.helm.sh/release-name': 'slipway', 'meta.helm.sh/release-namespace': system },
};

/** What the chart would have installed, as far as a backup sees it. */
export async function install<K extends Kube>(kube: K): Promise<K> {
  const create = <T extends KubeObject>(object: T) => kube.create(typeOf(object), object);
  const namespace = { apiVersion: 'v1', kind: 'Namespace' };
  await create({ ...namespace, metadata: { name: system } });
  const marks = { ...ofHelm.labels, [labels.workspace]: 'default', 'helm.sh/chart': 'slipway-0.0.1' };
  const first = { ...namespace, metadata: { ...ofHelm, name: home, labels: marks } };
  await kube.apply(namespaceType, first, { fieldManager: 'helm' });
  const data = secretDataOf(keys);
  const metadata = { name: 'slipway-keys', namespace: system };
  await create({ apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data });
  for (const { kind, metadata: was } of await readAll(kube, system)) {
    if (kind !== definitionType.kind) continue;
    const managedFields = was.managedFields?.map((fields) => ({ ...fields, manager: 'helm' }));
    await kube.patch(definitionType, was, { metadata: { ...ofHelm, managedFields } });
  }
  for (const component of ['apiserver', 'operator', 'webhook']) {
    const matchLabels = { 'app.kubernetes.io/component': component };
    const chart = { ...ofHelm.labels, 'app.kubernetes.io/part-of': 'slipway' };
    const place = { name: component, namespace: system, labels: { ...matchLabels, ...chart } };
    const template = {
      metadata: { labels: matchLabels },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    };
    const spec = { replicas: 2, selector: { matchLabels }, template };
    await create({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: place, spec });
  }
  return kube;
}

/**
 * Those of this machine: the packages are there, whatever the times of their files say, and no pods can run here. Helm is left out where
 * it is not built.
 */
const programs = () => `
helm() { ${helmSkipReason() ? ':' : `${toolPath('helm')} "\${@/--wait/--no-hooks}"`}; }
make() { command make -o node_modules/.installed "$@"; }
`;

/** Runs the commands of docs/operations.md on a cluster. The backup is in `folder`. */
export function follow(heading: string, kubeconfig: string, folder: string): Promise<string> {
  const commands = commandsUnder('docs/operations.md', heading)
    .replaceAll('DIR=backup', `DIR=${folder}`)
    .replaceAll('-f values.yaml', '');
  const env = { KUBECONFIG: kubeconfig, BACKUP_PASSPHRASE: passphrase };
  return run('bash', ['-euo', 'pipefail', '-c', `${programs()}${commands}`], { cwd: projectRoot, env });
}
