import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { certificateKubeconfig } from '../../lib/kubeconfig.ts';
import {
  type Authority,
  createAuthority,
  type KeyPair,
  readAuthority,
  type Subject,
} from './certificates.ts';
import { API_PORT, CLUSTER_DOMAIN, kubeconfigOf, NODE_ADDRESS, NODE_NAME, pkiFile } from './layout.ts';

/** Members of this group may do everything, whatever the roles. */
const administrators = 'system:masters';
const authorityName = 'kubernetes';
/** The first address of SERVICE_RANGE. */
const API_SERVICE = '10.96.0.1';
const local = ['localhost', '127.0.0.1', NODE_ADDRESS];
const apiNames = [
  ...['kubernetes', 'kubernetes.default', 'kubernetes.default.svc'],
  ...[`kubernetes.default.svc.${CLUSTER_DOMAIN}`, API_SERVICE, NODE_NAME, ...local],
];

export const kubeProxyUser: Subject = { commonName: 'system:kube-proxy' };

/** kube-apiserver recognises the kubelet of a node by its name and group. */
export function kubeletUser(nodeName: string): Subject {
  return { commonName: `system:node:${nodeName}`, organization: 'system:nodes' };
}

const users: Record<string, Subject> = {
  admin: { commonName: 'kubernetes-admin', organization: administrators },
  'controller-manager': { commonName: 'system:kube-controller-manager' },
  scheduler: { commonName: 'system:kube-scheduler' },
  kubelet: kubeletUser(NODE_NAME),
  'kube-proxy': kubeProxyUser,
};

/**
 * Writes all keys, certificates and kubeconfigs of a control plane: those of "PKI certificates and requirements" in the
 * documentation of Kubernetes.
 */
export async function writeCredentials(): Promise<void> {
  const cluster = await createAuthority(authorityName);
  writePair('ca', cluster.pem);
  writePair('apiserver', await cluster.issueServer({ commonName: 'kube-apiserver' }, apiNames));
  const toKubelet = { commonName: 'kube-apiserver-kubelet-client', organization: administrators };
  writePair('apiserver-kubelet-client', await cluster.issueClient(toKubelet));
  const etcd = await createAuthority('etcd-ca');
  writePair('etcd/ca', etcd.pem);
  for (const name of ['etcd/server', 'etcd/peer']) {
    writePair(name, await etcd.issueServer({ commonName: NODE_NAME }, [NODE_NAME, ...local]));
  }
  writePair('apiserver-etcd-client', await etcd.issueClient({ commonName: 'kube-apiserver-etcd-client' }));
  const frontProxy = await createAuthority('front-proxy-ca');
  writePair('front-proxy-ca', frontProxy.pem);
  writePair('front-proxy-client', await frontProxy.issueClient({ commonName: 'front-proxy-client' }));
  writeServiceAccountKeys();
  for (const [component, user] of Object.entries(users)) {
    await writeUser(cluster, user, kubeconfigOf(component));
  }
}

/** Issues a certificate for a user of the running cluster, and writes a kubeconfig with it. */
export async function writeKubeconfig(path: string, user: Subject): Promise<void> {
  const pem = {
    certificate: readFileSync(pkiFile('ca.crt'), 'utf8'),
    key: readFileSync(pkiFile('ca.key'), 'utf8'),
  };
  await writeUser(await readAuthority(authorityName, pem), user, path);
}

async function writeUser(authority: Authority, user: Subject, path: string): Promise<void> {
  const server = `https://${NODE_ADDRESS}:${API_PORT}`;
  const facts = { server, authority: authority.pem.certificate, ...(await authority.issueClient(user)) };
  writeSecret(path, certificateKubeconfig(facts));
}

function writeServiceAccountKeys(): void {
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  writeSecret(pkiFile('sa.key'), privateKey);
  writeFileSync(pkiFile('sa.pub'), publicKey);
}

function writePair(name: string, { certificate, key }: KeyPair): void {
  writeSecret(pkiFile(`${name}.key`), key);
  writeFileSync(pkiFile(`${name}.crt`), certificate);
}

function writeSecret(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o600 });
}
