import { features } from '../features.ts';
import type { Manifest } from './documents.ts';
import type { Kind } from './kind.ts';
import { networkKind } from './kinds/network.ts';
import { recordingKind } from './kinds/recording.ts';
import { secretKind } from './kinds/secret.ts';
import { snapshotKind } from './kinds/snapshot.ts';
import { tokenKind } from './kinds/token.ts';
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

/** The kind of a manifest. */
export function kindOf({ kind, place }: Pick<Manifest, 'kind' | 'place'>): Kind {
  const found = kinds.find((one) => one.kind === kind);
  if (found) return found;
  const names = kinds.map((one) => one.kind).join(', ');
  throw wrongAt(place, `${kind} cannot be applied through REST.`, `These can: ${names}`);
}
