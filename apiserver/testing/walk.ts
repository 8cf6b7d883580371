import type { OperationId } from '../../core/api/operations/operations.ts';
import { admin } from './accountsApi.ts';
import type { Answer, RequestOptions } from './harness.ts';

export type Item = Record<string, unknown> & { id: string };

/** What `shownAt` finds. */
export const there = [200, true];
export const gone = [404, false];

/** Two replicas. */
interface World {
  write(id: OperationId, path: string, options?: RequestOptions): Promise<Answer>;
  /** Asks the replica that did not write last. */
  read(path: string, options?: RequestOptions): Promise<Answer>;
}

export const accounts = '/workspace/v1alpha1';

/** With the token of an account. */
export const by = (token: string | null, options: RequestOptions = {}): RequestOptions => ({
  ...options,
  as: null,
  headers: { ...(token ? { Authorization: `Bearer ${token}` } : {}), ...options.headers },
});

export type Walk = ReturnType<typeof createWalk>;

/** Writes at one replica, and reads at the other. */
export function createWalk(worldOf: () => World, chainOf: () => string) {
  const write = (id: OperationId, path: string, options?: RequestOptions) =>
    worldOf().write(id, path, options);
  const read = async (path: string): Promise<Answer['json']> => (await worldOf().read(path)).json;
  const statusAt = async (path: string) => (await worldOf().read(path)).status;
  async function listed(path: string): Promise<Item[]> {
    const json = await read(path);
    return Array.isArray(json) ? json : json.items;
  }
  const idsAt = async (path: string) => (await listed(path)).map(({ id }) => id);
  /** As an account, by default the administrator; null: without credentials. */
  const change = (id: OperationId, path: string, body?: object, token: string | null = admin) =>
    write(id, `${accounts}${path}`, by(token, body ? { body } : {}));
  const seenBy = (token: string, path: string) => worldOf().read(`${accounts}${path}`, by(token));
  return {
    change,
    seenBy,
    seen: async (path: string) => (await seenBy(admin, path)).json.items as Item[],
    answer: (path: string, options: RequestOptions) => worldOf().read(path, options),
    /** The id of a network with a chain. */
    chainOf,
    write,
    post: (id: OperationId, path: string, body: object = {}) => write(id, path, { body }),
    remove: (id: OperationId, path: string) => write(id, path),
    read,
    statusAt,
    listed,
    idsAt,
    inList: async (path: string, id: string) => (await listed(path)).find((item) => item.id === id),
    /** Both the object and the list, at once. */
    shownAt: (object: string, list: string, id: string) =>
      Promise.all([statusAt(object), idsAt(list).then((ids) => ids.includes(id))]),
  };
}
