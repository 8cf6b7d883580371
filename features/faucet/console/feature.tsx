import type { ConsoleFeature } from '../../../console/src/feature.ts';
import { part } from '../../../console/src/loading/part.tsx';

const Faucet = part(() => import('./Faucet.tsx').then((file) => file.Faucet));

export const feature = {
  networkCards: [{ name: 'faucet', Card: Faucet }],
} as const satisfies ConsoleFeature;
