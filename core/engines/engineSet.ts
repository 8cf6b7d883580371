import {
  type AvailableEngine,
  type ChartEngine,
  type EngineName,
  type Engines,
  engineNames,
} from '../api/engines.ts';

/** What the builder offers for an engine without an image, and its progress. */
export type Offer = Exclude<AvailableEngine, { state: 'Available' }>;

export type ChartEngines = Readonly<Partial<Record<EngineName, ChartEngine>>>;
type AvailableEngines = Readonly<Partial<Record<EngineName, AvailableEngine>>>;

/** The engines of an installation at one moment. It is immutable: a change makes a new one. */
export interface EngineSet {
  /** Those that have an image. */
  images: Engines;
  /** Those that have none, and that a living builder can make. */
  offers: Readonly<Partial<Record<EngineName, Offer>>>;
  /** The images that a network may use instead, also of engines that have none of their own. */
  allowed: Readonly<Partial<Record<EngineName, readonly string[]>>>;
}

/** What a set is made of. */
export interface EngineFacts {
  chart: ChartEngines;
  available: AvailableEngines;
  /** Whether a builder lives: without one, nothing is offered. */
  hasBuilder: boolean;
}

/**
 * What the chart wants and what is available, as one set. An image that the chart names wins; resources and allowed images
 * always come from the chart, so an engine that it does not know is not there.
 */
export function mergeEngines({ chart, available, hasBuilder }: EngineFacts): EngineSet {
  const images: Engines = {};
  const offers: Partial<Record<EngineName, Offer>> = {};
  const allowed: Partial<Record<EngineName, readonly string[]>> = {};
  for (const name of engineNames) {
    const [wanted, found] = [chart[name], available[name]];
    if (!wanted) continue;
    allowed[name] = wanted.allowedImages;
    if (wanted.image !== undefined) images[name] = { ...wanted, image: wanted.image };
    else if (found?.state === 'Available')
      images[name] = { ...wanted, image: found.image, pullPolicy: found.pullPolicy };
    else if (found && hasBuilder) offers[name] = found;
  }
  return { images, offers, allowed };
}
