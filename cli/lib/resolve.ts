import type {
  Network,
  Recording,
  Secret,
  Snapshot,
  Token,
  Workspace,
} from '../../sdk/src/generated/types.ts';
import type { Client } from './client.ts';
import { fail, failureIn } from './failure.ts';
import type { Options } from './options.ts';

/** Users write names; the API takes ids. Lists are read, because reading one network would wake it. */

const namePattern = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
export const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface Listed {
  id: string;
}
type List<T> = (query: { selector?: string }) => AsyncIterable<T>;

interface Search<T> {
  kind: string;
  command: string;
  list: List<T>;
}

async function find<T extends Listed>({ list, ...search }: Search<T>, given: string): Promise<T> {
  // Scripts keep ids: a name that looks like one does not take its place.
  const identified = idPattern.test(given) ? await first(list({}), ({ id }) => id === given) : undefined;
  const isName = !identified && namePattern.test(given);
  const found = isName ? await first(list({ selector: `metadata.name == ${given}` })) : identified;
  if (!found) throw missing(search, given);
  return found;
}

async function first<T>(
  items: AsyncIterable<T>,
  isIt: (item: T) => boolean = () => true,
): Promise<T | undefined> {
  for await (const item of items) if (isIt(item)) return item;
  return undefined;
}

function missing({ kind, command }: Pick<Search<never>, 'kind' | 'command'>, given: string): Error {
  return fail(
    'notFound',
    `There is no ${kind} "${given}" in this workspace.`,
    `See: slipway ${command} list`,
  );
}

/** The network with this name or id, as a list shows it: it is not woken. */
export function findNetwork(client: Client, given: string): Promise<Network> {
  return find(
    { kind: 'network', command: 'network', list: (query) => client.networks.listAll(query) },
    given,
  );
}

/** The same; undefined when there is none. */
export async function findNetworkIfAny(client: Client, given: string): Promise<Network | undefined> {
  try {
    return await findNetwork(client, given);
  } catch (error) {
    if (failureIn(error)?.exit === 'notFound') return undefined;
    throw error;
  }
}

/** The secret with this name or id in the workspace, whoever owns it. */
export function findSecret(client: Client, given: string): Promise<Secret> {
  // With a condition on the owner, the list is that of the workspace: kubectl's secrets have none.
  const everybodys = 'metadata.ownerID != "-"';
  const list: List<Secret> = ({ selector }) =>
    client.secrets.listAll({ selector: [selector, everybodys].filter(Boolean).join(' && ') });
  return find({ kind: 'secret', command: 'secret', list }, given);
}

export function findSnapshot(client: Client, given: string): Promise<Snapshot> {
  return find(
    { kind: 'snapshot', command: 'snapshot', list: (query) => client.snapshots.listAll(query) },
    given,
  );
}

/** The recording with this name or id, without what it recorded. */
export function findRecording(client: Client, given: string): Promise<Recording> {
  const list: List<Recording> = async function* (query) {
    yield* await client.recordings.list(query);
  };
  return find({ kind: 'recording', command: 'recording', list }, given);
}

/** The token with this id, symbol or name. Names are not unique: several are an error that shows their ids. */
export async function findToken(client: Client, given: string): Promise<Token> {
  if (idPattern.test(given)) return client.tokens.get(given);
  const found = new Map<string, Token>();
  for (const query of [{ symbol: given.slice(0, 32) }, { name: given.slice(0, 128) }]) {
    for await (const token of client.tokens.listAll(query)) {
      if (token.name === given || token.symbol === given) found.set(token.id, token);
    }
  }
  return onlyOne([...found.values()], given, {
    kind: 'token',
    see: 'slipway token list',
    idOf: ({ id }) => id,
  });
}

/** The workspace of the caller with this id or name. Names are not unique: several are an error that shows their ids. */
export function findWorkspace(client: Client, given: string, signal: AbortSignal): Promise<Workspace> {
  return findListed(client.workspaces.listAll({}, { signal }), given, {
    kind: 'workspace',
    see: 'slipway workspace list',
    idOf: ({ id }) => id,
    isNamed: ({ name }) => name === given,
  });
}

interface Kind<T> {
  kind: string;
  /** The command that lists them. */
  see: string;
  idOf: (item: T) => string;
}

/** The one of a list with this id, or with this name, which several may have: that is an error that shows their ids. */
export async function findListed<T>(
  items: AsyncIterable<T>,
  given: string,
  kind: Kind<T> & { isNamed: (item: T) => boolean },
): Promise<T> {
  const named: T[] = [];
  for await (const item of items) {
    if (kind.idOf(item) === given) return item;
    if (kind.isNamed(item)) named.push(item);
  }
  return onlyOne(named, given, kind);
}

function onlyOne<T>(found: readonly T[], given: string, { kind, see, idOf }: Kind<T>): T {
  const [first, ...others] = found;
  if (first === undefined) throw fail('notFound', `There is no ${kind} "${given}" here.`, `See: ${see}`);
  if (others.length === 0) return first;
  const ids = found.map(idOf).join(', ');
  throw fail('conflict', `${found.length} ${kind}s are called "${given}": ${ids}.`, 'Use one of these.');
}

/** The names of the workspace's networks by id; an id that is none of them stays as it is. */
export async function namesOfNetworks(client: Client): Promise<{ of: (id: string) => string }> {
  const names = new Map<string, string>();
  for await (const { id, name } of client.networks.listAll({})) names.set(id, name);
  return { of: (id) => names.get(id) ?? id };
}

/** The query of a list: its selector, with the labels that are asked for. */
export function listQuery(options: Options): { selector?: string; limit?: number } {
  const labels = Object.entries(options.pairs('label') ?? {}).map(
    ([key, value]) => `metadata.labels.${key} == "${value}"`,
  );
  const selector = [options.text('selector'), ...labels].filter((part) => part !== undefined).join(' && ');
  const limit = options.wholeNumber('limit');
  return { ...(selector ? { selector } : {}), ...(limit === undefined ? {} : { limit }) };
}

/** At most `limit` items of a list that goes over pages. */
export async function* atMost<T>(items: AsyncIterable<T>, limit: number | undefined): AsyncGenerator<T> {
  let count = 0;
  for await (const item of items) {
    yield item;
    count += 1;
    if (count === limit) return;
  }
}
