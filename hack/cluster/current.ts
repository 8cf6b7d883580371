import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { compact } from '../../core/lib/compact.ts';
import { parseRegistry } from '../images/registry/reference.ts';
import { UserError } from '../lib/run.ts';
import type { ImageArchiveFile } from '../nativeNode/containers.ts';
import { ensureTools } from '../tools/ensure.ts';
import type { Cluster } from './cluster.ts';
import { loadIntoKind } from './kind.ts';
import { createKubectl, type Kubectl } from './kubectl.ts';

const DEFAULT_CLASS_ANNOTATION = 'ingressclass.kubernetes.io/is-default-class';

/** The fields of an IngressClass that are needed to choose one. */
export interface IngressClass {
  metadata: { name: string; annotations?: Record<string, string> };
}

/**
 * Uses the cluster of the kubeconfig's current context, which pulls images from `REGISTRY`. Asks for confirmation first,
 * unless YES=1.
 */
export async function useCurrentCluster(): Promise<Cluster> {
  const registry = process.env.REGISTRY ? parseRegistry(process.env.REGISTRY) : undefined;
  const kubeconfig = process.env.KUBECONFIG || join(homedir(), '.kube', 'config');
  const { kubectl: path } = await ensureTools(['kubectl']);
  const kubectl = createKubectl(path, kubeconfig);
  const context = await contextOf(kubectl, kubeconfig);
  const server = await kubectl.run([
    'config',
    'view',
    '--minify',
    '--output=jsonpath={.clusters[0].cluster.server}',
  ]);
  const images = registry
    ? ` with images in ${[registry.host, registry.path].filter(Boolean).join('/')}`
    : '';
  await confirm(`Install into context ${context} (${server})${images}?`);
  return {
    kind: 'current',
    ...compact({ registry }),
    kubeconfig,
    gatewayUrl: process.env.GATEWAY_URL || 'http://127.0.0.1',
    ingressClass: await ingressClassOf(kubectl),
    loadImages: (archives) => loadImages(context, archives),
    hasImage: async () => false,
    notes: [`Context ${context}. Set GATEWAY_URL to the URL of its ingress (default http://127.0.0.1).`],
  };
}

/** The current context. Throws UserError, with how to name a cluster, when there is none. */
export async function contextOf(kubectl: Pick<Kubectl, 'try'>, kubeconfig: string): Promise<string> {
  if (kubeconfig.includes(delimiter)) {
    throw new UserError(
      `KUBECONFIG names several files: ${kubeconfig}\nWhat to do: make one of them, kubectl config view --flatten > FILE, and name it with KUBECONFIG=FILE`,
    );
  }
  const { code, stdout, output } = await kubectl.try(['config', 'current-context']);
  if (code === 0) return stdout.trim();
  throw new UserError(
    `${kubeconfig} names no cluster: ${output.trim()}\nWhat to do: choose one with kubectl config use-context NAME, name another file with KUBECONFIG=FILE, or leave out CLUSTER=current for a cluster of Slipway's own`,
  );
}

/** kind clusters load images from files; other clusters must pull them from a registry. */
async function loadImages(context: string, archives: ImageArchiveFile[]): Promise<void> {
  if (context.startsWith('kind-')) return loadIntoKind(archives, context.replace('kind-', ''));
  if (process.env.IMAGES_ARE_PUSHED === '1') return;
  throw new UserError(
    [
      `Images cannot be loaded directly into the nodes of context ${context}. Name a registry that you may push to and`,
      'the cluster can pull from: CLUSTER=current REGISTRY=registry.example.com/slipway make up',
      'Or load these archives into the nodes yourself and set IMAGES_ARE_PUSHED=1:',
      ...archives.map(({ image, tar }) => `  ${image}  ${tar}`),
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
