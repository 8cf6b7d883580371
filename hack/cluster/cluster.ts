import type { RegistryPath } from '../images/registry/reference.ts';
import type { ImageArchiveFile } from '../nativeNode/containers.ts';

export type ClusterKind = 'native' | 'kind' | 'current';

/** A running Kubernetes cluster, with what is needed to install something on it. */
export interface Cluster {
  kind: ClusterKind;
  /** Path of a kubeconfig whose current context points to the cluster. */
  kubeconfig: string;
  /** The URL of the ingress as seen from this machine. */
  gatewayUrl: string;
  ingressClass: string;
  /** Where its nodes pull images from; without one, images are loaded into the nodes. */
  registry?: RegistryPath;
  /** Loads images into the cluster's nodes and skips those that are already there. */
  loadImages(archives: ImageArchiveFile[]): Promise<void>;
  /** Pulls an image into the nodes, where they pull from public registries. Throws UserError when it cannot be pulled. */
  pullImage?(image: string): Promise<void>;
  /** True when the nodes have the image; with an id (`sha256:…`), when it is exactly this one. */
  hasImage(image: string, digestOrId?: string): Promise<boolean>;
  /** Lines to show to the user. */
  notes: string[];
}

export interface ClusterOptions {
  /** The port of the ingress on this machine's loopback address. */
  ingressPort: number;
  /** External URLs that pods may reach on a cluster that otherwise blocks egress. */
  forkSources: string[];
}
