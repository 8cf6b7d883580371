import type { EngineName, Engines } from '../api/installation.ts';
import type { ErrorDetail } from '../lib/errors.ts';

/** Why a network may not name `image` in place of the installation's for an engine; none when it may, or names none. */
export function refuseImage(
  path: string,
  image: string | undefined,
  { engines, name }: { engines: Engines; name: EngineName },
): ErrorDetail[] {
  const engine = engines[name];
  if (image === undefined || !engine || engine.image === image) return [];
  const isAllowed = engine.allowedImages.some((pattern) =>
    pattern.endsWith('*') ? image.startsWith(pattern.slice(0, -1)) : image === pattern,
  );
  if (isAllowed) return [];
  const choice =
    engine.allowedImages.length === 0 ? 'leave it out' : `use ${engine.allowedImages.join(', ')}`;
  return [{ path, message: `«${image}» is not allowed on this installation: ${choice}` }];
}
