import { hasDocker } from '../images/engine.ts';
import { idFromManifest } from '../images/store.ts';
import { lastLines } from '../lib/format.ts';
import { cachePath } from '../lib/paths.ts';
import { say, step } from '../lib/progress.ts';
import { run, tryRun, UserError } from '../lib/run.ts';
import { ingressValues } from '../nativeNode/addons/addons.ts';
import { renderAddon } from '../nativeNode/addons/render.ts';
import type { ImageArchiveFile } from '../nativeNode/containers.ts';
import { ingressImage } from '../nativeNode/images.ts';
import { ensureTools } from '../tools/ensure.ts';
import type { Cluster, ClusterOptions } from './cluster.ts';
import { createKubectl } from './kubectl.ts';

const CLUSTER_NAME = 'slipway';
const NODE_CONTAINER = `${CLUSTER_NAME}-control-plane`;
/** The port of the ingress inside the node's container. */
const INNER_PORT = 8080;
export const kindKubeconfig = () => cachePath('kind', 'kubeconfig');
const logFile = () => cachePath('logs', 'kind.log');

/** True when a Docker engine is running. The kind command is got when it is missing. */
export const canUseKind = hasDocker;

/** A kind cluster with an ingress on this machine's loopback address; throws UserError when it cannot be created. */
export async function ensureKindCluster(options: ClusterOptions): Promise<Cluster> {
  if (!(await hasDocker()))
    throw new UserError('kind needs a running Docker engine, but `docker info` fails: start Docker.');
  const kind = await ensureKind();
  const kubeconfig = kindKubeconfig();
  if (!(await kindClusterExists())) await createCluster(kubeconfig, options.ingressPort);
  await run(kind, ['export', 'kubeconfig', '--name', CLUSTER_NAME, '--kubeconfig', kubeconfig]);
  await installIngress(kubeconfig);
  return {
    kind: 'kind',
    kubeconfig,
    gatewayUrl: `http://127.0.0.1:${(await publishedPort()) ?? options.ingressPort}`,
    ingressClass: 'slipway',
    loadImages: loadIntoKind,
    pullImage: pullIntoKind,
    hasImage: kindHasImage,
    notes: ['Only kind 0.24 and newer enforce NetworkPolicy.', `kubeconfig: ${kubeconfig}`],
  };
}

/** Deletes the kind cluster; returns false when there is none. */
export async function downKindCluster(): Promise<boolean> {
  if (!(await canUseKind()) || !(await kindClusterExists())) return false;
  const kind = await ensureKind();
  await step('deleting the kind cluster', () => run(kind, ['delete', 'cluster', '--name', CLUSTER_NAME]));
  say(`Removed: kind cluster ${CLUSTER_NAME}`);
  return true;
}

/** Nodes and pods of the kind cluster as text; undefined when there is none. */
export async function kindStatus(): Promise<string | undefined> {
  if (!(await canUseKind()) || !(await kindClusterExists())) return undefined;
  const answer = await inNode(
    'kubectl',
    '--kubeconfig=/etc/kubernetes/admin.conf',
    'get',
    'nodes,pods',
    '-A',
  );
  return answer.output;
}

/** Loads images into the nodes of a kind cluster and skips those that are already there. */
export async function loadIntoKind(archives: ImageArchiveFile[], cluster = CLUSTER_NAME): Promise<void> {
  const kind = await ensureKind();
  for (const { image, tar } of archives) {
    const id = idFromManifest(await run('tar', ['-xOf', tar, 'manifest.json']));
    if (cluster === CLUSTER_NAME && (await kindHasImage(image, id))) continue;
    await run(kind, ['load', 'image-archive', tar, '--name', cluster], { logFile: logFile() });
  }
}

/** Pulls an image with the node's own container runtime. Throws UserError when it cannot. */
export async function pullIntoKind(image: string): Promise<void> {
  if (await kindHasImage(image)) return;
  const { code, output } = await inNode('crictl', 'pull', image);
  if (code !== 0) throw new UserError(`${image}: ${lastLines(output, 1).trim()}`);
}

async function kindHasImage(image: string, id?: string): Promise<boolean> {
  const answer = await inNode('crictl', 'inspecti', '--output', 'json', image);
  return answer.code === 0 && (!id || answer.stdout.includes(id));
}

function inNode(...command: string[]) {
  return tryRun('docker', ['exec', NODE_CONTAINER, ...command]);
}

async function createCluster(kubeconfig: string, ingressPort: number): Promise<void> {
  const mapping = { containerPort: INNER_PORT, hostPort: ingressPort, listenAddress: '127.0.0.1' };
  const config = {
    kind: 'Cluster',
    apiVersion: 'kind.x-k8s.io/v1alpha4',
    nodes: [{ role: 'control-plane', extraPortMappings: [mapping], ...nodeImage() }],
  };
  const args = [
    'create',
    'cluster',
    '--name',
    CLUSTER_NAME,
    '--kubeconfig',
    kubeconfig,
    '--wait',
    '120s',
    '--config',
    '-',
  ];
  const options = {
    input: JSON.stringify(config),
    logFile: logFile(),
    remedy: `check that Docker works and that port ${ingressPort} is free (INGRESS_PORT names another), or set CLUSTER=native, which does not need Docker`,
  };
  const kind = await ensureKind();
  await step('creating the kind cluster', (note) => run(kind, args, { ...options, onLine: note }));
}

/** The port that the node got when it was created: INGRESS_PORT cannot move it later. */
export async function publishedPort(): Promise<number | undefined> {
  const { stdout } = await tryRun('docker', ['port', NODE_CONTAINER, `${INNER_PORT}/tcp`]);
  const [, port] = /:(\d+)$/m.exec(stdout.trim()) ?? [];
  return port === undefined ? undefined : Number(port);
}

/** kind's own node image, unless `KIND_NODE_IMAGE` names another one. */
function nodeImage(): { image?: string } {
  const { KIND_NODE_IMAGE: image } = process.env;
  return image ? { image } : {};
}

/** The ingress controller of the native node, so that streams and WebSockets behave the same. */
async function installIngress(kubeconfig: string): Promise<void> {
  const { kubectl: path } = await ensureTools(['kubectl']);
  const kubectl = createKubectl(path, kubeconfig);
  const image = await ingressImage();
  await loadIntoKind([image]);
  const manifest = renderAddon('ingress', ingressValues(image.image, '0.0.0.0', INNER_PORT));
  const ofNamespace = ['--namespace', 'ingress'];
  await step('starting the ingress controller', async () => {
    // That of earlier versions, which listens on the same port.
    await kubectl.try(['delete', 'deployment', 'skipper', ...ofNamespace, '--ignore-not-found']);
    await kubectl.run(['apply', '--server-side', '--force-conflicts', '--filename', '-'], manifest);
    await kubectl.run(['rollout', 'status', 'deployment/ingress', ...ofNamespace, '--timeout=120s']);
  });
}

/** The machine's own kind, or else the one of the catalogue, which is downloaded or built. */
async function ensureKind(): Promise<string> {
  if ((await tryRun('kind', ['version'])).code === 0) return 'kind';
  return (await ensureTools(['kind'])).kind;
}

export async function kindClusterExists(): Promise<boolean> {
  const names = await tryRun('docker', ['ps', '--all', '--format', '{{.Names}}']);
  return names.stdout.split('\n').includes(NODE_CONTAINER);
}
