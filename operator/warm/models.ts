import type { Installation } from '../../core/api/installation.ts';
import { apiVersion } from '../../core/api/names.ts';
import { driverOf } from '../../core/chains/registry.ts';
import { renderChildren } from '../network/render/children.ts';
import { type DividedPod, dividePod, isPod } from './shape.ts';

/** What the pods have in common that may wait for a network. */
export interface WarmModel extends Pick<DividedPod, 'shape' | 'spec' | 'folder'> {
  /** What the launcher runs. */
  launches: readonly string[];
  port: number;
}

/** Networks of other types on the same engine have pods of the same shape. */
const chain = { type: 'Ethereum' } as const;

/** The model of the light EVM engine; undefined if the installation's pods cannot wait. */
export function warmModelOf(installation: Installation): WarmModel | undefined {
  const plan = driverOf(chain.type)?.plan({
    ...{ chain, chainId: '1', mnemonicAddresses: [] },
    deriveSecret: () => '',
    hostOf: (part) => part,
    engines: installation.engines,
  });
  const [part] = plan?.parts ?? [];
  if (!plan || !part?.launches) return undefined;
  const children = renderChildren({
    network: {
      ...{ apiVersion, kind: 'Network' },
      metadata: {
        name: 'model',
        namespace: 'model',
        uid: 'model',
        resourceVersion: '',
        creationTimestamp: '',
      },
      spec: { chain },
    },
    ...{ plan, installation, forkSource: undefined, hasVolumes: false },
  });
  const pod = children.find(isPod);
  const divided = pod && dividePod(pod, children);
  if (!divided) return undefined;
  const { shape, spec, folder } = divided;
  return { shape, spec, folder, launches: part.launches, port: part.ports[part.readyPort] ?? 0 };
}
