import type { EngineName, Engines } from '../api/installation.ts';
import type { ErrorDetail } from '../lib/errors.ts';
import { completeImage } from './imageTag.ts';

/** Why a network must not use `image` for an engine instead of the installation's; empty when it may, or names none. */
export function refuseImage(
  path: string,
  given: string | undefined,
  { engines, name }: { engines: Engines; name: EngineName },
): ErrorDetail[] {
  const engine = engines[name];
  if (given === undefined || !engine) return [];
  const image = completeImage(given, engine.image);
  if (engine.image === image) return [];
  const isAllowed = engine.allowedImages.some((pattern) =>
    pattern.endsWith('*') ? image.startsWith(pattern.slice(0, -1)) : image === pattern,
  );
  if (isAllowed) return [];
  const choice = engine.allowedImages.length === 0 ? 'omit it' : `use ${engine.allowedImages.join(', ')}`;
  return [{ path, message: `"${image}" is not allowed on this installation: ${choice}` }];
}
