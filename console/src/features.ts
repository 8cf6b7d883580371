import { features as registered } from '../../features/registry/console.ts';
import type { ConsoleFeature } from './feature.ts';

export const features: readonly ConsoleFeature[] = registered;
