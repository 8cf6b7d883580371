import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerState } from './state.ts';

/** Writes the service account keys and the administrator's token. */
export function writeCredentials(folder: string, token: string): void {
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  writeFileSync(join(folder, 'sa.key'), privateKey, { mode: 0o600 });
  writeFileSync(join(folder, 'sa.pub'), publicKey);
  writeFileSync(join(folder, 'tokens.csv'), `${token},admin,admin,system:masters\n`, { mode: 0o600 });
}

/** An etcd on loopback that does not need to survive a power failure. */
export function etcdServer(
  folder: string,
  command: string,
  { clientPort, peerPort }: { clientPort: number; peerPort: number },
): ServerState {
  const client = `http://127.0.0.1:${clientPort}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  const args = [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--unsafe-no-fsync',
    '--log-level=warn',
  ];
  return { command, args, logFile: join(folder, 'etcd.log') };
}

/** A kube-apiserver on loopback that generates its own certificate and authenticates the administrator by token. */
export function apiserverServer(
  folder: string,
  command: string,
  { etcdPort, port }: { etcdPort: number; port: number },
): ServerState {
  const args = [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    `--cert-dir=${join(folder, 'certs')}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none',
    `--secure-port=${port}`,
    `--token-auth-file=${join(folder, 'tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${join(folder, 'sa.pub')}`,
    `--service-account-signing-key-file=${join(folder, 'sa.key')}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    '--disable-admission-plugins=ServiceAccount',
    '--allow-privileged=true',
  ];
  return { command, args, logFile: join(folder, 'kube-apiserver.log') };
}

/** Writes an encryption-at-rest configuration and returns the kube-apiserver flag that enables it. */
export function encryptionAtRest(folder: string, resources: string[]): string {
  const keys = [{ name: 'key1', secret: randomBytes(32).toString('base64') }];
  const file = join(folder, 'encryption.json');
  const configuration = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [{ resources, providers: [{ secretbox: { keys } }, { identity: {} }] }],
  };
  writeFileSync(file, JSON.stringify(configuration), { mode: 0o600 });
  return `--encryption-provider-config=${file}`;
}
