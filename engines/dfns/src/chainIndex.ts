import type { EvmRpc } from '../../../core/evm/rpc.ts';
import { createExclusive } from '../../../core/lib/work/exclusive.ts';
import { type Cursor, headSchema, type Move, readMoves } from './moves.ts';
import { type Page, pageOf, type Sql, type Store } from './store.ts';

interface MoveQuery {
  limit: number;
  before: number;
  direction?: string;
  kind?: string;
  contract?: string;
}

const chunk = 50;
/** The most that one request waits for; later requests read the rest. */
const maxBlocks = 5000;

export interface ChainIndex {
  /** Begins at the present block, if it has not begun: an address of the plugin did nothing before it existed. */
  begin(): Promise<void>;
  /** Reads the blocks since the last time. */
  sync(addresses: ReadonlySet<string>): Promise<void>;
  page(address: string, query: MoveQuery): Page<Move>;
  /** The ERC-20 contracts of which an address had transfers. */
  contractsOf(address: string): string[];
}

interface IndexDeps {
  store: Store;
  rpc: EvmRpc;
}

/** What wallets sent and received, read from the chain and kept in the database. */
export function createChainIndex(deps: IndexDeps): ChainIndex {
  const exclusive = createExclusive();
  return {
    begin: () => exclusive('index', async () => void (await begin(deps))),
    sync: (addresses) => exclusive('index', () => sync(deps, addresses)),
    page: (owner, query) => pageIn(deps.store.sql, owner, query),
    contractsOf: (owner) =>
      deps.store.sql
        .all(
          'SELECT DISTINCT contract FROM moves WHERE address = ? AND contract IS NOT NULL',
          owner.toLowerCase(),
        )
        .map((row) => String(row.contract)),
  };
}

function factIn({ sql }: Store, name: 'start' | 'cursor'): Cursor | undefined {
  const row = sql.one('SELECT json FROM facts WHERE name = ?', name);
  return row && JSON.parse(String(row.json));
}

function setFact({ sql }: Store, name: 'start' | 'cursor', value: Cursor): void {
  sql.run('INSERT OR REPLACE INTO facts VALUES (?, ?)', name, JSON.stringify(value));
}

async function blockAt(rpc: EvmRpc, at: number | 'latest'): Promise<Cursor | null> {
  const params = [at === 'latest' ? at : `0x${at.toString(16)}`, false];
  return headSchema.parse(await rpc.call('eth_getBlockByNumber', params));
}

async function begin({ store, rpc }: IndexDeps): Promise<Cursor> {
  const known = factIn(store, 'start');
  if (known) return known;
  const { number = 0, hash = '' } = (await blockAt(rpc, 'latest')) ?? {};
  const start = { number, hash };
  store.atomically(() => {
    setFact(store, 'start', start);
    setFact(store, 'cursor', start);
  });
  return start;
}

/** The last block that was read, or the start again when the chain went back, for example to a snapshot. */
async function cursorOnChain({ store, rpc }: IndexDeps): Promise<Cursor> {
  const start = await begin({ store, rpc });
  const cursor = factIn(store, 'cursor') ?? start;
  if ((await blockAt(rpc, cursor.number))?.hash === cursor.hash) return cursor;
  const first = await blockAt(rpc, start.number);
  const again = first ? { number: first.number, hash: first.hash } : { number: 0, hash: '' };
  store.atomically(() => {
    store.sql.run('DELETE FROM moves');
    setFact(store, 'start', again);
    setFact(store, 'cursor', again);
  });
  return again;
}

async function sync({ store, rpc }: IndexDeps, addresses: ReadonlySet<string>): Promise<void> {
  const head = (await blockAt(rpc, 'latest'))?.number ?? 0;
  const { number: first } = await cursorOnChain({ store, rpc });
  const end = Math.min(head, first + maxBlocks);
  for (let from = first + 1; from <= end; from += chunk) {
    const to = Math.min(from + chunk - 1, end);
    const { moves, last } = await readMoves(rpc, { from, to, addresses });
    if (!last) return;
    store.atomically(() => {
      for (const { address, id, move } of moves) {
        const columns = 'INSERT OR IGNORE INTO moves (address, id, contract, json) VALUES (?, ?, ?, ?)';
        store.sql.run(columns, address, id, move.contract ?? null, JSON.stringify(move));
      }
      setFact(store, 'cursor', last);
    });
  }
}

const filters = ['direction', 'kind', 'contract'] as const;

function pageIn(sql: Sql, owner: string, { limit, before, ...wanted }: MoveQuery): Page<Move> {
  const conditions = filters.map((name) => `(? IS NULL OR lower(json ->> '${name}') = lower(?))`);
  const values = filters.flatMap((name) => [wanted[name] ?? null, wanted[name] ?? null]);
  const where = `address = ? AND seq < ? AND ${conditions.join(' AND ')}`;
  const text = `SELECT seq, json FROM moves WHERE ${where} ORDER BY seq DESC LIMIT ?`;
  return pageOf(sql.all(text, owner.toLowerCase(), before, ...values, limit + 1), limit);
}
