import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { find, type Manifest, renderChart } from '../../../hack/chart/render.ts';
import { run } from '../../../hack/lib/run.ts';
import { testKubeconfig } from '../../../hack/testenv/testKube.ts';
import { ensureTools } from '../../../hack/tools/ensure.ts';
import { familyFolder } from '../../../hack/tools/families.ts';

const namespace = 'slipway-system';
const env = () => ({ KUBECONFIG: testKubeconfig() });

/** Applies objects, as an administrator, and waits until their kinds are established if they are CRDs. */
export async function apply(objects: object[] | string): Promise<string> {
  const { kubectl } = await ensureTools(['kubectl']);
  const flags = ['apply', '--server-side', '--force-conflicts', '--filename'];
  if (typeof objects === 'string') return run(kubectl, [...flags, objects], { env: env() });
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
  return run(kubectl, [...flags, '-'], { env: env(), input });
}

/** The output of `kubectl get`. */
export async function read(...args: string[]): Promise<string> {
  const { kubectl } = await ensureTools(['kubectl']);
  return run(kubectl, ['get', ...args], { env: env() });
}

/** The Service of the chart with `backend` as its only endpoint, and what `kind` the chart renders from `values`. */
export async function applyChart(
  kind: 'Ingress' | 'HTTPRoute',
  values: object,
  backend: { host: string; port: number },
): Promise<Manifest> {
  const manifests = await renderChart(values);
  const service = find(manifests, 'Service', 'slipway');
  const route = find(manifests, kind, '');
  const name = service.metadata.name;
  await apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }]);
  const slice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    addressType: 'IPv4',
    metadata: { name, namespace, labels: { 'kubernetes.io/service-name': name } },
    ports: [{ name: 'http', port: backend.port, protocol: 'TCP' }],
    endpoints: [
      { addresses: [backend.host], conditions: { ready: true, serving: true, terminating: false } },
    ],
  };
  await apply([service, slice, route]);
  return route;
}

/** Installs the CRDs of the Gateway API's standard channel, of the version that traefik's module requires. */
export async function installGatewayApi(): Promise<void> {
  const cwd = familyFolder('traefik');
  const goEnv = { GOFLAGS: '-mod=readonly', GOWORK: 'off' };
  const module = 'sigs.k8s.io/gateway-api';
  const answer = await run('go', ['mod', 'download', '-json', module], { cwd, env: goEnv });
  const folder = join((JSON.parse(answer) as { Dir: string }).Dir, 'config', 'crd', 'standard');
  const crds = readdirSync(folder).filter((name) => name.startsWith('gateway.networking.k8s.io_'));
  for (const name of crds) await apply(join(folder, name));
  const { kubectl } = await ensureTools(['kubectl']);
  const wait = ['wait', '--for=condition=Established', '--timeout=60s'];
  await run(kubectl, [...wait, ...crds.map(nameOfCrd)], { env: env() });
}

/** gateway.networking.k8s.io_httproutes.yaml holds httproutes.gateway.networking.k8s.io. */
function nameOfCrd(file: string): string {
  const [group = '', plural = ''] = file.replace(/\.yaml$/, '').split('_');
  return `crd/${plural}.${group}`;
}
