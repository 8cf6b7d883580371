import type { EventObjects } from '../../../sdk/src/generated/types.ts';

export type KindName = keyof EventObjects;

/** What the page knows about one kind of objects in the event stream. */
interface Kind<T> {
  /** The member `kind` of its objects. */
  object: string;
  /** Who may read its events. */
  permission: string;
  idOf(object: T): string;
  /** Increases with each change of the spec, or each time that it is submitted; absent where objects have no revision. */
  revisionOf?(object: T): number | undefined;
  /** Whether nothing further happens to it by itself. Of these, only the newest are kept. */
  isClosed?(object: T): boolean;
}

const idOf = ({ id }: { id: string }) => id;
const revisionOf = ({ metadata }: { metadata: { rev?: number | undefined } }) => metadata.rev;

const settledStates: readonly string[] = ['mined', 'failed', 'dropped'];

/** Whether a submission has its outcome. */
export const isSettled = ({ state }: { state: string }): boolean => settledStates.includes(state);

export const kinds: { readonly [Name in KindName]: Kind<EventObjects[Name]> } = {
  network: { object: 'Network', permission: 'networks:read', idOf, revisionOf },
  snapshot: { object: 'Snapshot', permission: 'networks:read', idOf, revisionOf },
  token: { object: 'Token', permission: 'tokens:read', idOf },
  transaction: {
    object: 'Submission',
    permission: 'transactions:read',
    idOf: ({ network_id, hash }) => `${network_id}/${hash}`,
    // One that was undone may be submitted again as it was.
    revisionOf: ({ accepted_at }) => Date.parse(accepted_at) || 0,
    isClosed: isSettled,
  },
  recording: { object: 'Recording', permission: 'recordings:read', idOf },
  secret: { object: 'Secret', permission: 'secrets:read', idOf, revisionOf },
};

export const kindNames = Object.keys(kinds).filter(isKindName);

export function isKindName(name: string): name is KindName {
  return name in kinds;
}

/** One value for each kind, made by `make` for that kind. */
export function forKinds<T extends Record<KindName, unknown>>(make: (name: KindName) => unknown): T {
  return Object.fromEntries(kindNames.map((name) => [name, make(name)])) as T;
}
