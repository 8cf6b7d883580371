import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { z } from 'zod';
import { type AvailableEngine, availableEngineSchema } from '../../core/api/engines.ts';
import { toolPath } from '../tools/build.ts';
import { type HeavyEngine, heavyEngines, programsOf } from '../up/heavyEngines.ts';
import type { NamedImage } from '../up/images.ts';

/**
 * An entry as this machine writes it. `source` names the sources that an image was built from: where it is another one, the
 * image is of a former checkout.
 */
export const publishedSchema = z.object({ source: z.string().optional() }).and(availableEngineSchema);
export type Published = AvailableEngine & { source?: string | undefined };

/** The entries of the object that this version can read. */
export function parsePublished(data: Readonly<Record<string, string>>): Map<string, Published> {
  const found = Object.entries(data).flatMap(([name, text]): [string, Published][] => {
    const parsed = publishedSchema.safeParse(jsonOf(text));
    return parsed.success ? [[name, parsed.data]] : [];
  });
  return new Map(found);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The entry of an image that the cluster has, or can pull. */
export function availableEntry(engine: HeavyEngine, { repository, tag, digest }: NamedImage): Published {
  return {
    state: 'Available',
    image: digest ? `${repository}@${digest}` : `${repository}:${tag}`,
    pullPolicy: 'IfNotPresent',
    source: sourceOf(engine),
  };
}

/** A hash of what an engine's image is built from, without building it. */
export function sourceOf(engine: HeavyEngine): string {
  const programs = programsOf(engine).map((program) => basename(dirname(toolPath(program))));
  const facts = [programs, readFileSync(heavyEngines[engine].dockerfile, 'utf8')];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 12);
}
