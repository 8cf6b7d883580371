import { features as registered } from '../../features/registry/console.ts';
import type { ConsoleFeature } from './feature.ts';

export const features: readonly ConsoleFeature[] = registered;

type Registered = (typeof registered)[number];
type Routes<Of, Name extends string> = Of extends Record<Name, readonly (infer Route)[]> ? Route : never;

/** Pages of features, with the types of their paths and searches. */
export const routes = features.flatMap(({ routes: own = [] }) => own) as Routes<Registered, 'routes'>[];

/** Those about the workspace. */
export const workspaceRoutes = features.flatMap(({ workspaceRoutes: own = [] }) => own) as Routes<
  Registered,
  'workspaceRoutes'
>[];

/** What is asked for above all pages, where no context is yet. At most one feature has each. */
export const signIn = features.find((feature) => feature.signIn)?.signIn;
export const addressNames = features.find((feature) => feature.addressNames)?.addressNames;
export const explorer = features.find((feature) => feature.explorer)?.explorer;
