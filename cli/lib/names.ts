import type { Client } from './client.ts';

interface Item {
  id: string;
  name?: string | undefined;
  symbol?: string | undefined;
}

const lists = {
  network: ({ networks }) => networks.listAll({}),
  token: ({ tokens }) => tokens.listAll({}),
  secret: ({ secrets }) => secrets.listAll({}),
  recording: async function* ({ recordings }) {
    yield* await recordings.list({});
  },
  snapshot: ({ snapshots }) => snapshots.listAll({}),
  workspace: ({ workspaces }) => workspaces.listAll({}),
} as const satisfies Record<string, (client: Client) => AsyncIterable<Item>>;

/** What arguments name and completion offers. */
export type Named = keyof typeof lists;
export const namedKinds = Object.keys(lists) as readonly Named[];

const atMost = 500;
/** Shells expand what they are offered, and a symbol of a token may be anything. */
const plain = /^[\w.-]+$/;

/** The names that a shell may offer, each once. */
export async function namesOf(client: Client, kind: Named): Promise<string[]> {
  const names = new Set<string>();
  const items: AsyncIterable<Item> = lists[kind](client);
  for await (const { symbol, name, id } of items) {
    const shown = symbol ?? name ?? id;
    if (plain.test(shown)) names.add(shown);
    if (names.size === atMost) break;
  }
  return [...names];
}
