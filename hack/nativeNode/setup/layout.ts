import { join } from 'node:path';
import { machineStateRoot } from '../../lib/paths.ts';

/** A private address that is added to the loopback interface. */
export const NODE_ADDRESS = '10.201.0.1';
export const NODE_NAME = 'slipway';
/** The range of all pods. Each node gives out addresses from a quarter of it. */
export const POD_RANGE = '10.244.0.0/16';
export const SERVICE_RANGE = '10.96.0.0/12';
export const DNS_SERVICE = '10.96.0.10';
export const API_PORT = 6443;
/** CoreDNS uses the host network and leaves port 53 to the machine. */
export const DNS_PORT = 10053;
export const CLUSTER_DOMAIN = 'cluster.local';
/** The name of the pod network; CNI writes it into the comments of its iptables rules. */
export const NETWORK_NAME = 'slipway';
export const BRIDGE = 'slipway0';
/** The parent of all pod cgroups, so that cleanup finds every container process. */
export const CGROUP = 'slipway';

const below = (...parts: string[]) => join(machineStateRoot, ...parts);

/** All paths of the node. They lie below one folder, which is deleted with the node. */
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
  /** One folder for each added node, which has the same structure as this one. */
  nodes: below('nodes'),
} as const;

/** The path of a program in the node's own folder. */
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
