import { existsSync } from 'node:fs';
import { stringify } from 'yaml';
import {
  CLUSTER_DOMAIN,
  configFile,
  DNS_SERVICE,
  kubeconfigOf,
  layout,
  POD_RANGE,
  pkiFile,
} from './layout.ts';
import { firstNode, type NodePlace } from './place.ts';
import { cniConfig, containerdConfig } from './runtimeConfigs.ts';

/** Keeps pods from an added node until it has the images. */
export const LOADING_TAINT = 'slipway.dev/loading-images';

/** A configuration file may contain several documents. */
const toYaml = (...documents: object[]): string =>
  documents.map((document) => stringify(document)).join('---\n');

/** kube-apiserver encrypts core and Slipway Secrets before they reach etcd. `key`: 32 random bytes. */
export function encryptionConfig(key: Buffer): string {
  return toYaml({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [
      {
        resources: ['secrets', 'secrets.slipway.dev'],
        providers: [
          { secretbox: { keys: [{ name: 'key1', secret: key.toString('base64') }] } },
          { identity: {} },
        ],
      },
    ],
  });
}

/** Images cannot be pulled again, so they are never garbage-collected. Eviction thresholds suit machines with little disk. */
export function kubeletConfig(place: NodePlace, resolvConf = hostResolvConf()): string {
  return toYaml({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: place.address,
    authentication: {
      x509: { clientCAFile: pkiFile('ca.crt') },
      webhook: { enabled: true },
      anonymous: { enabled: false },
    },
    authorization: { mode: 'Webhook' },
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${place.cgroup}`,
    clusterDNS: [DNS_SERVICE],
    clusterDomain: CLUSTER_DOMAIN,
    // A killed replica is back within seconds, however often. Kubernetes' own back-off grows to five minutes.
    crashLoopBackOff: { maxContainerRestartPeriod: '3s' },
    containerRuntimeEndpoint: `unix://${layout.containerdSocket}`,
    enforceNodeAllocatable: ['pods'],
    evictionHard: {
      'memory.available': '100Mi',
      'nodefs.available': '1%',
      'nodefs.inodesFree': '1%',
      'imagefs.available': '1%',
    },
    failSwapOn: false,
    featureGates: { KubeletCrashLoopBackOffMax: true },
    imageGCHighThresholdPercent: 100,
    imageGCLowThresholdPercent: 99,
    kubeAPIQPS: 100,
    kubeAPIBurst: 200,
    maxPods: 250,
    podLogsDir: layout.podLogs,
    ...(place === firstNode ? {} : { registerWithTaints: [{ key: LOADING_TAINT, effect: 'NoSchedule' }] }),
    resolvConf,
    serializeImagePulls: false,
    volumePluginDir: `${layout.kubelet}/volume-plugins`,
  });
}

/** Zeros leave the machine's conntrack limits unchanged; a short sync period makes new Services reachable quickly. */
export function kubeProxyConfig(place: NodePlace): string {
  return toYaml({
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    bindAddress: '0.0.0.0',
    clientConnection: { kubeconfig: kubeconfigOf('kube-proxy') },
    clusterCIDR: POD_RANGE,
    conntrack: { maxPerCore: 0, min: 0, tcpCloseWaitTimeout: '0s', tcpEstablishedTimeout: '0s' },
    healthzBindAddress: '127.0.0.1:10256',
    hostnameOverride: place.name,
    iptables: { localhostNodePorts: false, minSyncPeriod: '100ms', syncPeriod: '30s' },
    metricsBindAddress: '127.0.0.1:10249',
    mode: 'iptables',
    nodePortAddresses: [`${place.address}/32`],
  });
}

/** Pods cannot use systemd-resolved's stub on 127.0.0.53; its own file lists the real servers. */
function hostResolvConf(): string {
  const real = '/run/systemd/resolve/resolv.conf';
  return existsSync(real) ? real : '/etc/resolv.conf';
}

/** What all nodes are made of. */
export interface NodeFacts {
  pauseImage: string;
  cniPlugins: string;
}

/** The non-secret configuration files of a node: path to content. */
export function plainConfigs(facts: NodeFacts, place = firstNode): Record<string, string> {
  return {
    [configFile('kubelet.yaml')]: kubeletConfig(place),
    [configFile('kube-proxy.yaml')]: kubeProxyConfig(place),
    [configFile('containerd.toml')]: containerdConfig(facts.pauseImage, facts.cniPlugins),
    [`${layout.cni}/conf/10-slipway.conflist`]: cniConfig(place),
  };
}
