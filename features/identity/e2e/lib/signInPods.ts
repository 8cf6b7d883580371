import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { getJson, kubectl } from '../../../../e2e/lib/cluster.ts';
import { openPod, type ReplicaAccess } from '../../../../e2e/lib/replicas.ts';
import { freshEmail, freshName, until } from '../../../../e2e/lib/service.ts';
import { releaseNamespace } from '../../../../hack/up/names.ts';
import { identityProgram } from './identityPod.ts';

/** Another API server of the installation, with a provider and a mail server of its own, at an address of this machine. */
export interface SignInPods {
  url: string;
  /** As the API server knows it. */
  issuer: string;
  /** The same from here. */
  provider: string;
  /** Of the person that the provider lets in, who has no account yet. */
  email: string;
  mails(): Promise<string[]>;
  remove(): Promise<void>;
}

type Spec = Record<string, unknown>;

async function apply(namespace: string, ...objects: Spec[]): Promise<void> {
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
  const { code, stderr } = await kubectl(['apply', '--namespace', namespace, '-f', '-'], list);
  if (code !== 0) throw new Error(stderr);
}

async function whenReady(name: string, namespace: string): Promise<string> {
  interface Pod {
    status?: { podIP?: string; conditions?: { type: string; status: string }[] };
  }
  const isReady = ({ status }: Pod) =>
    status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') ?? false;
  const pod = await until(name, () => getJson('pod', name, '--namespace', namespace), isReady);
  return pod.status?.podIP ?? '';
}

/** Pods may not reach this machine, and pages of a browser reach nothing but it: each side gets a way to the other. */
export async function startSignInPods(): Promise<SignInPods> {
  const { template } = (await getJson('deployment', 'slipway-apiserver', '--namespace', releaseNamespace))
    .spec;
  const [own] = template.spec.containers;
  const identity = freshName('identity');
  const field = { fieldRef: { fieldPath: 'status.podIP' } };
  const email = freshEmail('ada');
  const env = [
    { name: 'POD_IP', valueFrom: field },
    { name: 'EMAIL', value: email },
  ];
  const command = ['node', '-e', identityProgram];
  const image = { image: own.image, imagePullPolicy: 'IfNotPresent' };
  await apply('default', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: identity },
    spec: { containers: [{ name: 'identity', ...image, command, env }], terminationGracePeriodSeconds: 0 },
  });
  const ip = await whenReady(identity, 'default');
  const issuer = `http://${ip}:8080`;

  const door = createServer().listen(0, '127.0.0.1');
  await once(door, 'listening');
  const url = `http://localhost:${(door.address() as AddressInfo).port}`;
  const name = freshName('sign-in');
  await startApi({ name, url, issuer, mailHost: ip, template });
  await whenReady(name, releaseNamespace);
  const [api, provider] = [await openPod(name, releaseNamespace), await openPod(identity, 'default')];
  lead(door, api);
  return {
    url,
    issuer,
    provider: provider.url,
    email,
    mails: async () => (await fetch(`${provider.url}/mails`)).json() as Promise<string[]>,
    async remove() {
      door.close();
      for (const access of [api, provider]) access.close();
      const gone = ['--wait=false', '--ignore-not-found', '--namespace'];
      await kubectl(['delete', 'pod', identity, ...gone, 'default']);
      await kubectl([
        'delete',
        `pod/${name}`,
        `configmap/${name}`,
        `secret/${name}`,
        ...gone,
        releaseNamespace,
      ]);
    },
  };
}

interface Api {
  name: string;
  url: string;
  issuer: string;
  mailHost: string;
  // biome-ignore lint/suspicious/noExplicitAny: the pod template as the cluster has it
  template: any;
}

async function startApi({ name, url, issuer, mailHost, template }: Api): Promise<void> {
  const { data } = await getJson('configmap', 'slipway-config', '--namespace', releaseNamespace);
  const config = {
    ...JSON.parse(data['config.json']),
    publicUrl: url,
    oidc: {
      providers: [
        { name: 'e2e', title: 'Example ID', issuer, clientId: 'slipway', allowHttp: true, trustEmail: true },
      ],
    },
    smtp: { host: mailHost, port: 2525, security: 'none', from: 'slipway@example.com' },
  };
  const metadata = { name, labels: { 'slipway-e2e': 'sign-in' } };
  const [own] = template.spec.containers;
  const isOther = ({ name: volume }: { name: string }) => volume !== 'config' && volume !== 'sign-in';
  const mount = { name: 'sign-in', mountPath: '/etc/slipway/sign-in', readOnly: true };
  await apply(
    releaseNamespace,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'config.json': JSON.stringify(config) } },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata,
      stringData: { 'oidc.e2e.client-secret': 'secret-of-e2e' },
    },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata,
      spec: {
        ...template.spec,
        containers: [
          {
            ...own,
            volumeMounts: [
              ...own.volumeMounts.filter((one: { name: string }) => one.name !== 'sign-in'),
              mount,
            ],
          },
        ],
        volumes: [
          ...template.spec.volumes.filter(isOther),
          { name: 'config', configMap: { name } },
          { name: 'sign-in', secret: { secretName: name, defaultMode: 0o440 } },
        ],
        topologySpreadConstraints: [],
        terminationGracePeriodSeconds: 5,
      },
    },
  );
}

/** Connections to the door go to the pod. */
function lead(door: Server, { url }: ReplicaAccess): void {
  const port = Number(new URL(url).port);
  door.on('connection', (socket) => {
    const inner = connect(port, '127.0.0.1');
    socket.on('error', () => inner.destroy());
    inner.on('error', () => socket.destroy());
    socket.pipe(inner).pipe(socket);
  });
}
