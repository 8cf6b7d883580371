import type { ComponentType } from 'react';
import type { Network } from '../../sdk/src/generated/types.ts';

/** What a feature adds to the console. It is exported as `feature` by the console/feature.tsx of its folder. */
export interface ConsoleFeature {
  /** Beside the details of a network. */
  networkCards?: readonly { name: string; Card: ComponentType<{ network: Network }> }[];
}
