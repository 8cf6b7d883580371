import { features as registered } from '../features/registry/cli.ts';
import type { CliFeature } from './feature.ts';

export const features: readonly CliFeature[] = registered;

/** One feature has it. */
export const addressNamed = features.find((feature) => feature.addressNamed)?.addressNamed;
export const chainOf = features.find((feature) => feature.chainOf)?.chainOf;
