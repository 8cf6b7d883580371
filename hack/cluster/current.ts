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

/** What must be known of an IngressClass to choose one. */
export interface IngressClass {
  metadata: { name: string; annotations?: Record<string, string> };
}

/** The cluster of the kubeconfig's current context. Asks before it is touched; YES=1 answers. */
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
    notes: [`Context ${context}. GATEWAY_URL says where its ingress answers (default http://127.0.0.1).`],
  };
}

/** kind clusters take images as files; others must find them in a registry. */
async function loadImages(context: string, archives: ImageArchiveFile[]): Promise<void> {
  if (context.startsWith('kind-')) return loadIntoKind(archives, context.replace('kind-', ''));
  if (process.env.IMAGES_ARE_PUSHED === '1') return;
  const commands = archives.map(
    ({ image, tar }) => `  skopeo copy docker-archive:${tar} docker://REGISTRY/${image}`,
  );
  throw new UserError(
    [
      `Images cannot be put into the nodes of context ${context}. Push them to its registry and install the chart`,
      'with their names there, or set IMAGES_ARE_PUSHED=1 when the nodes have them:',
      ...commands,
    ].join('\n'),
  );
}

async function ingressClassOf(kubectl: Kubectl): Promise<string> {
  const answer = await kubectl.run(['get', 'ingressclasses', '--output=json']);
  const chosen = chooseIngressClass((JSON.parse(answer) as { items: IngressClass[] }).items);
  if (chosen) return chosen;
  throw new UserError('The cluster has no default IngressClass: install an ingress controller first.');
}

/** The default IngressClass, else the only one; undefined when there is no telling. */
export function chooseIngressClass(classes: IngressClass[]): string | undefined {
  const isDefault = ({ metadata }: IngressClass) =>
    metadata.annotations?.[DEFAULT_CLASS_ANNOTATION] === 'true';
  const only = classes.length === 1 ? classes[0] : undefined;
  return (classes.find(isDefault) ?? only)?.metadata.name;
}

async function confirm(question: string): Promise<void> {
  if (process.env.YES === '1') return;
  if (!process.stdin.isTTY) throw new UserError(`${question} Nobody is there to ask: set YES=1.`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new UserError('Nothing was touched.');
}
