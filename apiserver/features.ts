import { merged } from '../core/lib/typed.ts';
import { features } from '../features/registry/server.ts';
import type { Surroundings } from './feature.ts';

/** What all features add to this process. */
export function createFeatures(surroundings: Surroundings) {
  const parts = features.map((feature) => feature.create(surroundings));
  return { handlers: merged(parts.map(({ handlers }) => handlers)) };
}
