import type { ConsoleFeature } from '../../../console/src/feature.ts';
import { part } from '../../../console/src/loading/part.tsx';

const Keys = part(() => import('./Keys.tsx').then((file) => file.Keys));

export const feature = {
  networkTabs: [{ name: 'keys', label: 'Keys', Panel: Keys }],
} as const satisfies ConsoleFeature;
