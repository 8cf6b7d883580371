import type { ConsoleFeature } from '../../../console/src/feature.ts';
import { Faucet } from './Faucet.tsx';

export const feature: ConsoleFeature = { networkCards: [{ name: 'faucet', Card: Faucet }] };
