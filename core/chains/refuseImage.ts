import type { EngineName } from '../api/engines.ts';
import type { EngineSet } from '../engines/engineSet.ts';
import type { ErrorDetail } from '../lib/errors.ts';
import { completeImage } from './imageTag.ts';

/**
 * Why a network must not use an image for an engine instead of the installation's; empty when it may, or names none. A tag of the
 * installation's image is judged once there is one.
 */
export function refuseImage(
  path: string,
  given: string | undefined,
  { set, name }: { set: EngineSet; name: EngineName },
): ErrorDetail[] {
  const [usual, allowed = []] = [set.images[name]?.image, set.allowed[name]];
  if (given === undefined || (usual === undefined && given.startsWith(':'))) return [];
  const image = completeImage(given, usual ?? '');
  if (usual === image) return [];
  const isAllowed = allowed.some((pattern) =>
    pattern.endsWith('*') ? image.startsWith(pattern.slice(0, -1)) : image === pattern,
  );
  if (isAllowed) return [];
  const choice = allowed.length === 0 ? 'omit it' : `use ${allowed.join(', ')}`;
  return [{ path, message: `"${image}" is not allowed on this installation: ${choice}` }];
}
