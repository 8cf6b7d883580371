import { join } from 'node:path';
import { machineStateRoot } from '../../../lib/paths.ts';

/** An address that no other machine has; it is put on the loopback interface. */
export const NODE_ADDRESS = '10.201.0.1';
export const NODE_NAME = 'slipway';
export const POD_RANGE = '10.244.0.0/16';
export const SERVICE_RANGE = '10.96.0.0/12';
export const DNS_SERVICE = '10.96.0.10';
export const API_PORT = 6443;
/** CoreDNS runs in the host's network and leaves port 53 to the machine. */
export const DNS_PORT = 10053;
export const CLUSTER_DOMAIN = 'cluster.local';
/** Name of the pod network: CNI writes it into the comments of its iptables rules. */
export const NETWORK_NAME = 'slipway';
export const BRIDGE = 'slipway0';
/** Parent of all pods' cgroups, so that nothing of them can be missed. */
export const CGROUP = 'slipway';

const below = (...parts: string[]) => join(machineStateRoot, ...parts);

/** Every path of the node. All of it lies below one folder, which goes when the node goes. */
export const layout = {
  root: machineStateRoot,
  lock: below('lock'),
  state: below('state.json'),
  bin: below('bin'),
  config: below('config'),
  pki: below('pki'),
  kubeconfigs: below('kubeconfig'),
  adminKubeconfig: below('kubeconfig', 'admin.conf'),
  services: below('services'),
  logs: below('logs'),
  podLogs: below('logs', 'pods'),
  etcd: below('etcd'),
  containerd: below('containerd'),
  containerdSocket: below('containerd', 'containerd.sock'),
  kubelet: below('kubelet'),
  cni: below('cni'),
  volumes: below('volumes'),
} as const;

/** A program of the node, as it was linked into the node's own folder. */
export function program(name: string): string {
  return join(layout.bin, name);
}

export function configFile(name: string): string {
  return join(layout.config, name);
}

export function pkiFile(name: string): string {
  return join(layout.pki, name);
}

export function kubeconfigOf(component: string): string {
  return join(layout.kubeconfigs, `${component}.conf`);
}
