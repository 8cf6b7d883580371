import {
  API_PORT,
  CLUSTER_DOMAIN,
  configFile,
  kubeconfigOf,
  layout,
  NODE_ADDRESS,
  NODE_NAME,
  POD_RANGE,
  pkiFile,
  program,
  SERVICE_RANGE,
} from './setup/layout.ts';
import { firstNode, type NodePlace, workerPlaces } from './setup/place.ts';

/** A supervised process on the node. */
export interface Service {
  name: string;
  command: string[];
  /** A shell script that stops it, in the place of a SIGTERM. */
  stop?: string;
}

const ETCD_URL = 'https://127.0.0.1:2379';

/** The builder of engines, which is not a part of the node: it comes and goes while the node runs. */
export const builderService = 'engine-builder';

/** Services that may start containers, or load images for them; they are stopped first so that nothing recreates what is being removed. */
export const drivers = [
  builderService,
  ...workerPlaces.map(({ name }) => name),
  'kubelet',
  'kube-proxy',
  'kube-controller-manager',
  'kube-scheduler',
];

/** All services of the first node. They wait for each other, so their order does not matter. */
export function services(): Service[] {
  return [
    { name: 'etcd', command: [program('etcd'), ...etcdFlags()] },
    { name: 'kube-apiserver', command: [program('kube-apiserver'), ...apiserverFlags()] },
    {
      name: 'kube-controller-manager',
      command: [program('kube-controller-manager'), ...controllerManagerFlags()],
    },
    { name: 'kube-scheduler', command: [program('kube-scheduler'), ...schedulerFlags()] },
    ...podServices(firstNode),
  ];
}

/** The services that run pods: all services of an added node. */
export function podServices(place: NodePlace): Service[] {
  return [
    { name: 'containerd', command: ['containerd', '--config', configFile('containerd.toml')] },
    { name: 'kubelet', command: [program('kubelet'), ...kubeletFlags(place)] },
    { name: 'kube-proxy', command: [program('kube-proxy'), `--config=${configFile('kube-proxy.yaml')}`] },
  ];
}

function etcdFlags(): string[] {
  return [
    `--name=${NODE_NAME}`,
    `--data-dir=${layout.etcd}`,
    `--listen-client-urls=${ETCD_URL}`,
    `--advertise-client-urls=${ETCD_URL}`,
    '--listen-peer-urls=https://127.0.0.1:2380',
    '--initial-advertise-peer-urls=https://127.0.0.1:2380',
    `--initial-cluster=${NODE_NAME}=https://127.0.0.1:2380`,
    `--cert-file=${pkiFile('etcd/server.crt')}`,
    `--key-file=${pkiFile('etcd/server.key')}`,
    '--client-cert-auth',
    `--trusted-ca-file=${pkiFile('etcd/ca.crt')}`,
    `--peer-cert-file=${pkiFile('etcd/peer.crt')}`,
    `--peer-key-file=${pkiFile('etcd/peer.key')}`,
    '--peer-client-cert-auth',
    `--peer-trusted-ca-file=${pkiFile('etcd/ca.crt')}`,
    '--quota-backend-bytes=4294967296',
    '--log-level=warn',
  ];
}

function apiserverFlags(): string[] {
  return [
    `--advertise-address=${NODE_ADDRESS}`,
    `--bind-address=${NODE_ADDRESS}`,
    `--secure-port=${API_PORT}`,
    '--allow-privileged=true',
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    `--encryption-provider-config=${configFile('encryption.yaml')}`,
    `--etcd-servers=${ETCD_URL}`,
    `--etcd-cafile=${pkiFile('etcd/ca.crt')}`,
    `--etcd-certfile=${pkiFile('apiserver-etcd-client.crt')}`,
    `--etcd-keyfile=${pkiFile('apiserver-etcd-client.key')}`,
    `--client-ca-file=${pkiFile('ca.crt')}`,
    `--tls-cert-file=${pkiFile('apiserver.crt')}`,
    `--tls-private-key-file=${pkiFile('apiserver.key')}`,
    `--kubelet-client-certificate=${pkiFile('apiserver-kubelet-client.crt')}`,
    `--kubelet-client-key=${pkiFile('apiserver-kubelet-client.key')}`,
    '--kubelet-preferred-address-types=InternalIP',
    ...aggregationFlags(),
    ...serviceAccountFlags(),
    `--service-cluster-ip-range=${SERVICE_RANGE}`,
    '--profiling=false',
  ];
}

function aggregationFlags(): string[] {
  return [
    `--proxy-client-cert-file=${pkiFile('front-proxy-client.crt')}`,
    `--proxy-client-key-file=${pkiFile('front-proxy-client.key')}`,
    `--requestheader-client-ca-file=${pkiFile('front-proxy-ca.crt')}`,
    '--requestheader-allowed-names=front-proxy-client',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-username-headers=X-Remote-User',
  ];
}

function serviceAccountFlags(): string[] {
  return [
    `--service-account-issuer=https://kubernetes.default.svc.${CLUSTER_DOMAIN}`,
    `--service-account-key-file=${pkiFile('sa.pub')}`,
    `--service-account-signing-key-file=${pkiFile('sa.key')}`,
  ];
}

function controllerManagerFlags(): string[] {
  return [
    ...componentFlags('controller-manager'),
    `--client-ca-file=${pkiFile('ca.crt')}`,
    `--cluster-cidr=${POD_RANGE}`,
    `--cluster-name=${NODE_NAME}`,
    `--cluster-signing-cert-file=${pkiFile('ca.crt')}`,
    `--cluster-signing-key-file=${pkiFile('ca.key')}`,
    `--root-ca-file=${pkiFile('ca.crt')}`,
    `--service-account-private-key-file=${pkiFile('sa.key')}`,
    `--service-cluster-ip-range=${SERVICE_RANGE}`,
    '--use-service-account-credentials=true',
  ];
}

function schedulerFlags(): string[] {
  return componentFlags('scheduler');
}

/** A single replica needs no leader election. */
function componentFlags(component: string): string[] {
  const kubeconfig = kubeconfigOf(component);
  return [
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    '--bind-address=127.0.0.1',
    '--kube-api-burst=200',
    '--kube-api-qps=100',
    '--leader-elect=false',
    '--profiling=false',
  ];
}

function kubeletFlags({ name, address }: NodePlace): string[] {
  return [
    `--config=${configFile('kubelet.yaml')}`,
    `--kubeconfig=${kubeconfigOf('kubelet')}`,
    `--hostname-override=${name}`,
    `--node-ip=${address}`,
    `--root-dir=${layout.kubelet}`,
    `--cert-dir=${layout.kubelet}/pki`,
  ];
}
