import { features as registered } from '../features/registry/mcp.ts';
import type { McpFeature } from './feature.ts';

const features: readonly McpFeature[] = registered;

export const featureTools = features.flatMap(({ tools }) => tools);

/** One feature has it. */
export const addressNamed = features.find((feature) => feature.addressNamed)?.addressNamed;
export const chainOf = features.find((feature) => feature.chainOf)?.chainOf;
