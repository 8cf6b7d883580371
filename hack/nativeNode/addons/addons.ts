import { createHash } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import type { Kubectl } from '../../cluster/kubectl.ts';
import { waitUntil } from '../../lib/wait.ts';
import type { SystemImages } from '../images.ts';
import { CLUSTER_DOMAIN, DNS_PORT, DNS_SERVICE, layout, NODE_ADDRESS, NODE_NAME } from '../setup/layout.ts';
import { renderAddon } from './render.ts';

const READY_LIMIT_MS = 120_000;

/** The manifests of the DNS, storage and ingress add-ons as one text. */
export function renderAddons(images: SystemImages, ingressPort: number): string {
  const values = {
    NODE_ADDRESS,
    NODE_NAME,
    DNS_SERVICE,
    DNS_PORT: String(DNS_PORT),
    CLUSTER_DOMAIN,
    VOLUMES_FOLDER: layout.volumes,
    COREDNS_IMAGE: images.coredns.image,
    PROVISIONER_IMAGE: images.provisioner.image,
    HELPER_IMAGE: images.helper.image,
    ...ingressValues(images.ingress.image, '127.0.0.1', ingressPort),
    INGRESS_NODES: `{ kubernetes.io/hostname: ${NODE_NAME} }`,
  };
  return ['coredns', 'local-path', 'ingress'].map((name) => renderAddon(name, values)).join('---\n');
}

/** The values that ingress.yaml needs. `address`: the address that the ingress listens on. */
export function ingressValues(image: string, address: string, port: number): Record<string, string> {
  return {
    INGRESS_IMAGE: image,
    INGRESS_ADDRESS: `${address}:${port}`,
    INGRESS_PORT: String(port),
    PROBE_HOST: '127.0.0.1',
    INGRESS_NODES: '{}',
  };
}

/** A short hash of the manifests; when it has not changed, there is nothing to apply. */
export function addonsStamp(manifests: string): string {
  return createHash('sha256').update(manifests).digest('hex').slice(0, 16);
}

/** Waits until the add-on pods are ready and the cluster's DNS Service resolves a name. */
export async function waitForAddons(kubectl: Kubectl): Promise<void> {
  const deployments = ['kube-system/coredns', 'local-path-storage/local-path-provisioner', 'ingress/ingress'];
  await Promise.all(deployments.map((deployment) => waitForDeployment(kubectl, deployment)));
  const name = `kubernetes.default.svc.${CLUSTER_DOMAIN}`;
  await waitUntil(
    () => resolves(name),
    READY_LIMIT_MS,
    `${name} does not resolve through the cluster's DNS Service at ${DNS_SERVICE}`,
  );
}

async function waitForDeployment(kubectl: Kubectl, deployment: string): Promise<void> {
  const [namespace = '', name = ''] = deployment.split('/');
  const limit = `--timeout=${READY_LIMIT_MS / 1000}s`;
  await kubectl.run(['rollout', 'status', `deployment/${name}`, '--namespace', namespace, limit]);
}

async function resolves(name: string): Promise<boolean> {
  const resolver = new Resolver({ timeout: 500, tries: 1 });
  resolver.setServers([DNS_SERVICE]);
  return resolver.resolve4(name).then(
    (addresses) => addresses.length > 0,
    () => false,
  );
}
