import { merged } from '../../core/lib/typed.ts';
import type { Listed, Lists } from '../feature.ts';
import { features } from '../features.ts';
import type { Client } from '../lib/client.ts';

const own: Lists = {
  network: ({ networks }) => networks.listAll({}),
  token: ({ tokens }) => tokens.listAll({}),
  secret: ({ secrets }) => secrets.listAll({}),
  recording: async function* ({ recordings }) {
    yield* await recordings.list({});
  },
  snapshot: ({ snapshots }) => snapshots.listAll({}),
  workspace: ({ workspaces }) => workspaces.listAll({}),
};
const lists: Lists = merged([own, ...features.map(({ named = {} }) => named)]);

/** What arguments name and completion offers. */
export const namedKinds = Object.keys(lists);

const atMost = 500;
/** Shells expand what they are offered, and a symbol of a token may be anything. */
const plain = /^[\w.-]+$/;

/** The names that a shell may offer, each once. */
export async function namesOf(client: Client, kind: string): Promise<string[]> {
  const names = new Set<string>();
  const items: AsyncIterable<Listed> | readonly Listed[] = lists[kind]?.(client) ?? [];
  for await (const { symbol, name, id = '' } of items) {
    const shown = symbol ?? name ?? id;
    if (plain.test(shown)) names.add(shown);
    if (names.size === atMost) break;
  }
  return [...names];
}
