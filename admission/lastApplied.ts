import { z } from 'zod';
import type { PatchStep, ReviewedObject } from './review.ts';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
const path = `/metadata/annotations/${annotation.replaceAll('/', '~1')}`;
/** Replaces the data in kubectl's annotation. It is constant, so that applying again changes nothing. */
const placeholder = '(sealed)';

const manifestSchema = z.looseObject({ spec: z.looseObject({ data: z.unknown() }).optional() });

/** Removes the data from the manifest that `kubectl apply` keeps in an annotation; drops an unreadable manifest. */
export function scrubLastApplied(object: ReviewedObject): PatchStep[] {
  const text = object.metadata?.annotations?.[annotation];
  if (text === undefined) return [];
  const manifest = parse(text);
  if (!manifest) return [{ op: 'remove', path }];
  if (manifest.spec?.data === undefined || manifest.spec.data === placeholder) return [];
  const scrubbed = { ...manifest, spec: { ...manifest.spec, data: placeholder } };
  return [{ op: 'replace', path, value: `${JSON.stringify(scrubbed)}\n` }];
}

function parse(text: string): z.infer<typeof manifestSchema> | undefined {
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
