import { features as registered } from '../features/registry/operator.ts';
import type { OpenFeature, OperatorFeature } from './feature.ts';

const features: readonly OperatorFeature[] = registered;

/** The metrics of all features. */
export const featureMetricTables = features.flatMap(({ metrics = [] }) => metrics);

export function openFeatures(options: Parameters<OperatorFeature['open']>[0]): readonly OpenFeature[] {
  return features.map((feature) => feature.open(options));
}
