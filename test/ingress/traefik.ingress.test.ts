import { eventually } from '../../apiserver/testing/eventually.ts';
import { serviceDomain } from './testing/backend.ts';
import { apply, applyChart, installGatewayApi, read } from './testing/cluster.ts';
import { describeWay, host } from './testing/conformance.ts';
import { startTraefik } from './testing/traefik.ts';

const publicUrl = `http://${host}`;
const ingressClass = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IngressClass',
  metadata: { name: 'traefik' },
  spec: { controller: 'traefik.io/ingress-controller' },
};
const valuesOfIngress = { serviceDomain, ingress: { enabled: true, className: 'traefik', host } };

beforeAll(installGatewayApi);

describeWay('an Ingress of Traefik', {
  async start(backend) {
    await apply([ingressClass]);
    await applyChart('Ingress', valuesOfIngress, backend);
    return startTraefik();
  },
});

describeWay('an HTTPRoute of Traefik', {
  async start(backend) {
    const controller = await startTraefik();
    await apply(gatewayOn(controller.port));
    const parentRefs = [{ name: 'public', namespace: 'gateways' }];
    const gateway = { enabled: true, parentRefs };
    await applyChart('HTTPRoute', { publicUrl, serviceDomain, gateway }, backend);
    return controller;
  },
});

it('the Gateway accepts the HTTPRoute and finds its Service', async () => {
  const conditions = async () => {
    const status = await read(
      'httproute',
      'slipway',
      '--namespace=slipway-system',
      '--output=jsonpath={.status}',
    );
    const [parent] = status ? JSON.parse(status).parents : [];
    return (parent?.conditions ?? [])
      .map(({ type, status }: Record<string, string>) => `${type}=${status}`)
      .sort();
  };
  await eventually(conditions, (found: string[]) => found.join() === 'Accepted=True,ResolvedRefs=True');
});

/** A Gateway whose listener is the entry point on this port. */
function gatewayOn(port: number): object[] {
  const apiVersion = 'gateway.networking.k8s.io/v1';
  const listener = { name: 'web', protocol: 'HTTP', port, allowedRoutes: { namespaces: { from: 'All' } } };
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'gateways' } },
    {
      apiVersion,
      kind: 'GatewayClass',
      metadata: { name: 'traefik' },
      spec: { controllerName: 'traefik.io/gateway-controller' },
    },
    {
      apiVersion,
      kind: 'Gateway',
      metadata: { name: 'public', namespace: 'gateways' },
      spec: { gatewayClassName: 'traefik', listeners: [listener] },
    },
  ];
}
