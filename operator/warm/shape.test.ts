import type { KubeObject } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { Pod } from '../../core/kube/types.ts';
import { decide } from '../network/decide/decide.ts';
import type { NetworkFacts } from '../network/decide/facts.ts';
import { aNetwork, factsOf, hotAddress, someEngines } from '../network/testing/facts.ts';
import { dividePod, isPod } from './shape.ts';
import { modelForTests } from './testing/launchers.ts';

type Spec = NetworkResource['spec'];

const key = { privateKeyRef: { name: 'key' } };
const types = {
  Ethereum: { type: 'Ethereum', ethereum: key },
  Polygon: { type: 'Polygon', polygon: key },
  BNB: { type: 'BNB', bnb: key },
  Base: { type: 'Base', base: key },
} as unknown as Record<string, Spec['chain']>;

function childrenOf(spec: Partial<Spec>, facts: Partial<NetworkFacts> = {}): KubeObject[] {
  const network = aNetwork();
  return decide(factsOf({ ...network, spec: { ...network.spec, ...spec } }, facts)).children ?? [];
}

function enginePod(children: KubeObject[]): Pod {
  const pod = children.find(isPod);
  if (!pod) throw new Error('no pod');
  return pod;
}

const shapeOf = (children: KubeObject[]) => dividePod(enginePod(children), children)?.shape;

it.each(Object.entries(types))('a network of type %s fits a pod that waits', (_type, chain) => {
  expect(shapeOf(childrenOf({ chain }))).toBe(modelForTests().shape);
});

it.each<[string, Partial<Spec>, Partial<NetworkFacts>]>([
  ['keeps its data on a volume', { persistent: true }, {}],
  [
    'is a fork, whose pod reads the address of its source from a Secret',
    {
      chain: {
        type: 'Ethereum',
        ethereum: { ...key, forking: { enabled: true, blockHeight: '5' } },
      } as Spec['chain'],
    },
    { forkSource: 'http://forks/x' },
  ],
  [
    'runs on an image that the installation had before',
    {},
    { engineSet: someEngines({ 'evm-dev': 'evm-dev:0' }) },
  ],
  [
    'runs with other resources',
    {},
    { engineSet: someEngines({ 'evm-dev': { resources: { limits: { memory: '1Gi' } } } }) },
  ],
])('a network does not fit a pod that waits if it %s', (_why, spec, facts) => {
  const children = childrenOf(spec, facts);
  expect(enginePod(children)).toBeDefined();
  expect(shapeOf(children)).not.toBe(modelForTests().shape);
});

it('the plan has everything that a pod without it lacks', () => {
  const children = childrenOf({});
  const pod = enginePod(children);
  const divided = dividePod(pod, children);
  const [container] = pod.spec.containers;
  expect(divided?.plan.args).toEqual(container?.args);
  expect(divided?.plan.env).toEqual({ HOME: '/tmp' });
  expect(Object.keys(divided?.plan.files ?? {})).toEqual(['/etc/slipway/state.json']);
  expect(divided?.plan.files['/etc/slipway/state.json']?.toLowerCase()).toContain(hotAddress.toLowerCase());
  expect(JSON.stringify(divided?.spec)).not.toContain(hotAddress.slice(2));
});

it('a pod with the keys of its engine in a Secret is not divided into the shape of a waiting one', () => {
  const children = childrenOf({});
  const pod = enginePod(children);
  const secrets = { name: 'secrets', secret: { secretName: 'keys' } };
  const withKeys = { ...pod, spec: { ...pod.spec, volumes: [...(pod.spec.volumes ?? []), secrets] } };
  expect(dividePod(withKeys, children)?.shape).not.toBe(modelForTests().shape);
});
