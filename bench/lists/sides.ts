import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { compact } from '../../core/lib/compact.ts';
import type { Case } from './cases.ts';

/** The response bodies of one query, unparsed. */
type Texts = string[];

/** One of the two compared APIs. Both use persistent connections of the same HTTP client. */
export interface Side {
  firstPage(question: Case, limit: number): Promise<Texts>;
  walk(question: Case, limit: number): Promise<Texts>;
  /** The uids in the responses, sorted by name. */
  uidsIn(texts: Texts): string[];
  close(): Promise<void>;
}

interface Target {
  origin: string;
  token: string;
  authority?: Buffer;
}

function createReader({ origin, token, authority }: Target) {
  const pool = new Pool(origin, { connections: 4, ...compact({ connect: authority && { ca: authority } }) });
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  return {
    close: () => pool.close(),
    async read(path: string, query: Record<string, string>): Promise<string> {
      const target = `${path}?${new URLSearchParams(query)}`;
      const { statusCode, body } = await pool.request({ method: 'GET', path: target, headers });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`${target}: ${text}`);
      return text;
    },
  };
}

/** Reads all pages; `nextOf` returns the query for the page after a given one. */
async function follow(
  read: (query: Record<string, string>) => Promise<string>,
  query: Record<string, string>,
  nextOf: (text: string) => Record<string, string> | undefined,
): Promise<Texts> {
  const texts: Texts = [];
  for (let next: Record<string, string> | undefined = {}; next !== undefined; ) {
    const text = await read({ ...query, ...next });
    texts.push(text);
    next = nextOf(text);
  }
  return texts;
}

export function createRestSide(target: Target): Side {
  const { read, close } = createReader(target);
  const ask = (query: Record<string, string>) => read('/v1alpha/networks', query);
  const queryOf = ({ selector }: Case, limit: number) => ({
    limit: String(limit),
    ...compact({ selector }),
  });
  return {
    close,
    firstPage: async (question, limit) => [await ask(queryOf(question, limit))],
    walk: (question, limit) =>
      follow(ask, queryOf(question, limit), (text) => {
        const { cursor } = JSON.parse(text).metadata;
        return cursor === undefined ? undefined : { cursor };
      }),
    uidsIn: (texts) => texts.flatMap((text) => JSON.parse(text).items.map(({ id }: { id: string }) => id)),
  };
}

interface RawItem {
  metadata: { name: string; uid: string; labels?: Record<string, string> };
}

export function createRawSide(kubeconfigPath: string, namespace: string): Side {
  const { read, close } = createReader(targetOf(kubeconfigPath));
  const path = `/apis/slipway.dev/v1alpha1/namespaces/${namespace}/networks`;
  const ask = (query: Record<string, string>) => read(path, query);
  return {
    close,
    firstPage: ({ raw }, limit) => Promise.all(raw.map((query) => ask({ ...query, limit: String(limit) }))),
    async walk({ raw }, limit) {
      const walks = raw.map((query) =>
        follow(ask, { ...query, limit: String(limit) }, (text) => {
          const { continue: place } = JSON.parse(text).metadata;
          return place ? { continue: place } : undefined;
        }),
      );
      return (await Promise.all(walks)).flat();
    },
    uidsIn(texts) {
      const items: RawItem[] = texts.flatMap((text) => JSON.parse(text).items);
      items.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
      return items.map(({ metadata }) => metadata.labels?.['slipway.dev/id'] ?? metadata.uid);
    },
  };
}

/** Reads the kubeconfig of a test environment, which is JSON. */
function targetOf(kubeconfigPath: string): Target {
  const { clusters, users } = JSON.parse(readFileSync(kubeconfigPath, 'utf8'));
  const { server, 'certificate-authority-data': authority } = clusters[0].cluster;
  return { origin: server, token: users[0].user.token, authority: Buffer.from(authority, 'base64') };
}
