import { lazy } from 'react';
import type { ConsoleFeature } from '../../../console/src/feature.ts';

const Source = lazy(async () => ({ default: (await import('./Source.tsx')).Source }));

export const feature = {
  contractSources: [{ name: 'verification', Panel: Source }],
} as const satisfies ConsoleFeature;
