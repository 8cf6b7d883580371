import { features as registered } from '../../features/registry/console.ts';
import type { ConsoleFeature } from './feature.ts';

export const features: readonly ConsoleFeature[] = registered;

type Routes<Of> = Of extends { workspaceRoutes: readonly (infer Route)[] } ? Route : never;
type Registered = (typeof registered)[number];

/** Pages about the workspace, with the types of their paths and searches. */
export const workspaceRoutes = features.flatMap(
  ({ workspaceRoutes: routes = [] }) => routes,
) as Routes<Registered>[];
