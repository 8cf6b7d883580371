import type { ConsoleFeature } from '../../../console/src/feature.ts';
import { Faucet } from './Faucet.tsx';

export const feature = {
  networkCards: [{ name: 'faucet', Card: Faucet }],
} as const satisfies ConsoleFeature;
