import type { ImageArchiveFile } from './native/containers.ts';

export type ClusterKind = 'native' | 'kind' | 'current';

/** A Kubernetes cluster that is up, and what one must know to install something on it. */
export interface Cluster {
  kind: ClusterKind;
  /** Path of a kubeconfig whose current context is the cluster's. */
  kubeconfig: string;
  /** Where the ingress answers, as seen from this machine. */
  gatewayUrl: string;
  ingressClass: string;
  /** Puts images into the cluster's nodes; those that are there already are left alone. */
  loadImages(archives: ImageArchiveFile[]): Promise<void>;
  /** True when the nodes have the image; with an id (`sha256:…`), when it is exactly this one. */
  hasImage(image: string, digestOrId?: string): Promise<boolean>;
  /** Lines that the user should read. */
  notes: string[];
}

export interface ClusterOptions {
  /** Port of the ingress on this machine's loopback address. */
  ingressPort: number;
  /** URLs outside the cluster that pods may reach where the cluster keeps them inside. */
  forkSources: string[];
}
