import type { Installation } from '../../core/api/installation.ts';
import { apiVersion } from '../../core/api/names.ts';
import { driverOf } from '../../core/chains/registry.ts';
import type { EngineSet } from '../../core/engines/engineSet.ts';
import type { EngineWatch } from '../../core/engines/engineWatch.ts';
import { renderChildren } from '../network/render/children.ts';
import { type DividedPod, dividePod, isPod } from './shape.ts';

/** What all pods that wait for networks have in common. */
export interface WarmModel extends Pick<DividedPod, 'shape' | 'spec' | 'folder'> {
  /** What the launcher runs. */
  launches: readonly string[];
  port: number;
}

/** Networks of other types on the same engine have pods of the same shape. */
const chain = { type: 'Ethereum' } as const;

export interface ModelDeps {
  installation: Installation;
  engines: Pick<EngineWatch, 'current'>;
}

/** Returns the current model: a new image makes a new one. */
export function createWarmModels({ installation, engines }: ModelDeps): () => WarmModel | undefined {
  let last: { set: EngineSet; model: WarmModel | undefined } | undefined;
  return () => {
    const set = engines.current();
    if (last?.set !== set) last = { set, model: warmModelOf(installation, set) };
    return last.model;
  };
}

/** The model of the light EVM engine; undefined if the installation's pods cannot wait. */
export function warmModelOf(installation: Installation, set: EngineSet): WarmModel | undefined {
  const { images } = set;
  if (!images['evm-dev']) return undefined;
  const plan = driverOf(chain.type)?.plan({
    chain,
    chainId: '1',
    mnemonicAddresses: [],
    deriveSecret: () => '',
    hostOf: (part) => part,
    engines: set,
  });
  const [part] = plan?.parts ?? [];
  if (!plan || !part?.launches) return undefined;
  const children = renderChildren({
    network: {
      apiVersion,
      kind: 'Network',
      metadata: {
        name: 'model',
        namespace: 'model',
        uid: 'model',
        resourceVersion: '',
        creationTimestamp: '',
      },
      spec: { chain },
    },
    plan,
    installation,
    images,
    forkSource: undefined,
    hasVolumes: false,
  });
  const pod = children.find(isPod);
  const divided = pod && dividePod(pod, children);
  if (!divided) return undefined;
  const { shape, spec, folder } = divided;
  return { shape, spec, folder, launches: part.launches, port: part.ports[part.readyPort] ?? 0 };
}
