import { lazy } from 'react';
import type { ConsoleFeature } from '../../../console/src/feature.ts';

const Faucet = lazy(async () => ({ default: (await import('./Faucet.tsx')).Faucet }));

export const feature = {
  networkCards: [{ name: 'faucet', Card: Faucet }],
} as const satisfies ConsoleFeature;
