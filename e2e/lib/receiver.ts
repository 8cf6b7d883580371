import { releaseNamespace } from '../../hack/up/names.ts';
import { getJson, kubectl } from './cluster.ts';
import { openPod } from './replicas.ts';
import { freshName, until } from './service.ts';

/** A request that the receiver got. */
interface Arrived {
  id: string;
  timestamp: number;
  signature: string;
  body: string;
}

/** An HTTP server in a pod of the cluster: pods may not reach the machine that runs the tests. */
export interface Receiver {
  /** As pods reach it. */
  url: string;
  port: number;
  arrived(): Promise<Arrived[]>;
  /** Answers with this status from now on, and forgets what has arrived. */
  answerWith(status: number): Promise<void>;
  remove(): Promise<void>;
}

const port = 8080;

/** Keeps what is posted to /hook; GET returns it, and PUT /<status> begins again. */
const program = `
let arrived = [], status = 204;
require('node:http').createServer((request, response) => {
  if (request.method === 'GET') return response.end(JSON.stringify(arrived));
  if (request.method === 'PUT') { arrived = []; status = Number(request.url.slice(1)); return response.end(); }
  let body = '';
  request.on('data', (part) => { body += part; });
  request.on('end', () => {
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request.headers;
    arrived.push({ id, timestamp: Number(timestamp), signature, body });
    response.writeHead(status).end();
  });
}).listen(${port});
`;

export async function startReceiver(): Promise<Receiver> {
  const name = freshName('receiver');
  const namespace = 'default';
  const [image] = (
    await getJson('deployment', 'slipway-apiserver', '--namespace', releaseNamespace)
  ).spec.template.spec.containers.map((container: { image: string }) => container.image);
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace },
    spec: {
      containers: [
        { name: 'receiver', image, imagePullPolicy: 'IfNotPresent', command: ['node', '-e', program] },
      ],
      terminationGracePeriodSeconds: 0,
    },
  };
  const { code, stderr } = await kubectl(['apply', '--namespace', namespace, '-f', '-'], JSON.stringify(pod));
  if (code !== 0) throw new Error(stderr);
  const isRunning = ({ status }: { status?: { phase?: string; podIP?: string } }) =>
    status?.phase === 'Running';
  const { status } = await until(
    'the receiver',
    () => getJson('pod', name, '--namespace', namespace),
    isRunning,
  );
  const access = await openPod(name, namespace);
  return {
    url: `http://${status?.podIP}:${port}/hook`,
    port,
    arrived: async () => (await fetch(access.url)).json() as Promise<Arrived[]>,
    async answerWith(code) {
      await fetch(`${access.url}/${code}`, { method: 'PUT' });
    },
    async remove() {
      access.close();
      await kubectl(['delete', 'pod', name, '--namespace', namespace, '--wait=false']);
    },
  };
}
