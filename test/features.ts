import { features as registered } from '../features/registry/testing.ts';
import type { TestFeature } from './feature.ts';

export const features: readonly TestFeature[] = registered;
