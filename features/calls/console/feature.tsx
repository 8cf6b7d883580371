import type { ConsoleFeature } from '../../../console/src/feature.ts';
import { part } from '../../../console/src/loading/part.tsx';

const Calls = part(() => import('./Calls.tsx').then((file) => file.Calls));

export const feature = {
  networkTabs: [{ name: 'calls', label: 'Calls', Panel: Calls }],
} as const satisfies ConsoleFeature;
