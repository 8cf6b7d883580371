import { features } from '../features.ts';
import type { Kind } from './kind.ts';
import { networkKind } from './kinds/network.ts';
import { recordingKind } from './kinds/recording.ts';
import { secretKind } from './kinds/secret.ts';
import { snapshotKind } from './kinds/snapshot.ts';
import { tokenKind } from './kinds/token.ts';
import type { Manifest } from './manifest.ts';
import { wrongAt } from './problems.ts';

/** The kinds that REST can create and find again. */
export const kinds: readonly Kind[] = [
  secretKind,
  networkKind,
  snapshotKind,
  tokenKind,
  recordingKind,
  ...features.flatMap(({ kinds: own = [] }) => own),
];

type Named = Pick<Manifest, 'kind' | 'place'>;

const named = (kind: string) => kinds.find((one) => one.kind === kind);

/** The kind of a manifest. */
export function kindOf(manifest: Named): Kind {
  const found = named(manifest.kind);
  if (found) return found;
  throw refusal(manifest);
}

/** What is wrong with the kind of a manifest; undefined if it can be applied. */
export function unknownKind(manifest: Named): Error | undefined {
  return named(manifest.kind) ? undefined : refusal(manifest);
}

function refusal({ kind, place }: Named): Error {
  const names = kinds.map((one) => one.kind).join(', ');
  return wrongAt(place, `${kind} cannot be applied through REST.`, `These can: ${names}.`);
}
