import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { UserError } from '../lib/run.ts';
import { ensureTools } from '../tools/ensure.ts';
import type { Cluster } from './cluster.ts';
import { loadIntoKind } from './kind.ts';
import { createKubectl, type Kubectl } from './kubectl.ts';
import type { ImageArchiveFile } from './native/containers.ts';

const DEFAULT_CLASS_ANNOTATION = 'ingressclass.kubernetes.io/is-default-class';

/** The fields of an IngressClass that are needed to choose one. */
export interface IngressClass {
  metadata: { name: string; annotations?: Record<string, string> };
}

/** Uses the cluster of the kubeconfig's current context. Asks for confirmation first, unless YES=1. */
export async function useCurrentCluster(): Promise<Cluster> {
  const kubeconfig = process.env.KUBECONFIG || join(homedir(), '.kube', 'config');
  const { kubectl: path } = await ensureTools(['kubectl']);
  const kubectl = createKubectl(path, kubeconfig);
  const context = (await kubectl.run(['config', 'current-context'])).trim();
  const server = await kubectl.run([
    'config',
    'view',
    '--minify',
    '--output=jsonpath={.clusters[0].cluster.server}',
  ]);
  await confirm(`Install into context ${context} (${server})?`);
  return {
    kind: 'current',
    kubeconfig,
    gatewayUrl: process.env.GATEWAY_URL || 'http://127.0.0.1',
    ingressClass: await ingressClassOf(kubectl),
    loadImages: (archives) => loadImages(context, archives),
    hasImage: async () => false,
    notes: [`Context ${context}. Set GATEWAY_URL to the URL of its ingress (default http://127.0.0.1).`],
  };
}

/** kind clusters load images from files; other clusters must pull them from a registry. */
async function loadImages(context: string, archives: ImageArchiveFile[]): Promise<void> {
  if (context.startsWith('kind-')) return loadIntoKind(archives, context.replace('kind-', ''));
  if (process.env.IMAGES_ARE_PUSHED === '1') return;
  const commands = archives.map(
    ({ image, tar }) => `  skopeo copy docker-archive:${tar} docker://REGISTRY/${image}`,
  );
  throw new UserError(
    [
      `Images cannot be loaded directly into the nodes of context ${context}. Push them to a registry that the cluster`,
      'can pull from and set their names there in the chart values, or set IMAGES_ARE_PUSHED=1 if the nodes have them:',
      ...commands,
    ].join('\n'),
  );
}

async function ingressClassOf(kubectl: Kubectl): Promise<string> {
  const answer = await kubectl.run(['get', 'ingressclasses', '--output=json']);
  const chosen = chooseIngressClass((JSON.parse(answer) as { items: IngressClass[] }).items);
  if (chosen) return chosen;
  throw new UserError(
    'The cluster has no default IngressClass: install an ingress controller, or mark one IngressClass as the default.',
  );
}

/** The default IngressClass, otherwise the only one; undefined when there is no clear choice. */
export function chooseIngressClass(classes: IngressClass[]): string | undefined {
  const isDefault = ({ metadata }: IngressClass) =>
    metadata.annotations?.[DEFAULT_CLASS_ANNOTATION] === 'true';
  const only = classes.length === 1 ? classes[0] : undefined;
  return (classes.find(isDefault) ?? only)?.metadata.name;
}

async function confirm(question: string): Promise<void> {
  if (process.env.YES === '1') return;
  if (!process.stdin.isTTY)
    throw new UserError(`${question} Cannot ask without a terminal: set YES=1 to confirm.`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new UserError('Cancelled: nothing was changed.');
}
