import type { ConsoleFeature } from '../../../console/src/feature.ts';
import { part } from '../../../console/src/loading/part.tsx';

const Source = part(() => import('./Source.tsx').then((file) => file.Source));

export const feature = {
  contractSources: [{ name: 'verification', Panel: Source }],
} as const satisfies ConsoleFeature;
