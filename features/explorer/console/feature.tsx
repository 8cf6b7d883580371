import type { ConsoleFeature } from '../../../console/src/feature.ts';
import { part } from '../../../console/src/loading/part.tsx';

const Contracts = part(() => import('./Contracts.tsx').then((file) => file.Contracts));

export const feature = {
  explorerTabs: [{ name: 'contracts', label: 'Contracts', Panel: Contracts }],
} as const satisfies ConsoleFeature;
