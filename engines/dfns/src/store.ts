import { DatabaseSync } from 'node:sqlite';
import { AppError, messageOf } from '../../../core/lib/errors.ts';
import { hashOf } from '../../../core/lib/hash.ts';
import type { RecordKind, Records } from './records.ts';

/** A signed transaction that is not settled: it is sent until the chain has it or another one with its nonce. */
export interface OpenSend {
  id: string;
  kind: 'transfer' | 'transaction';
  keyId: string;
  nonce: number;
  hash: string;
  raw: string;
}

export interface Page<T> {
  items: T[];
  nextPageToken?: string;
}

/** Which records of a kind: those of a wallet or a key, or all when it is absent. */
interface PageQuery {
  owner?: string;
  limit: number;
  /** Of the page before. */
  before: number;
}

const schema = `
  CREATE TABLE IF NOT EXISTS records (seq INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL, external TEXT, digest TEXT, json TEXT NOT NULL);
  CREATE UNIQUE INDEX IF NOT EXISTS externals ON records (kind, owner, external) WHERE external IS NOT NULL;
  CREATE INDEX IF NOT EXISTS pages ON records (kind, owner, seq);
  CREATE TABLE IF NOT EXISTS sends (id TEXT PRIMARY KEY, kind TEXT NOT NULL, keyId TEXT NOT NULL, nonce INTEGER NOT NULL,
    hash TEXT NOT NULL, raw TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS moves (seq INTEGER PRIMARY KEY AUTOINCREMENT, address TEXT NOT NULL, id TEXT NOT NULL,
    contract TEXT, json TEXT NOT NULL, UNIQUE (address, id));
  CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, json TEXT NOT NULL);`;

/** 256 MiB in pages of 4 KiB: a quarter of a volume. */
const maxPages = 65_536;

export type Store = ReturnType<typeof createStore>;

/** The database of the plugin. What a call has written survives the end of the process and of the machine. */
export function createStore(file: string) {
  const db = new DatabaseSync(file);
  db.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA max_page_count = ${maxPages}; ${schema}`,
  );
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  const prepare = (sql: string) => {
    const known = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, known);
    return known;
  };
  const sql: Sql = {
    run: (text, ...values) => void prepare(text).run(...values),
    one: (text, ...values) => prepare(text).get(...values),
    all: (text, ...values) => prepare(text).all(...values),
  };
  return {
    ...recordsIn(sql),
    ...sendsIn(sql),
    sql,
    /** All of the writes in `work`, or none. */
    atomically<T>(work: () => T): T {
      db.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        db.exec('COMMIT');
        return result;
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK');
        throw explained(error);
      }
    },
    close: () => db.close(),
  };
}

interface Added<Kind extends RecordKind> {
  owner: string;
  record: Records[Kind];
  /** What was requested: repeating it under the same external id gives the same record. */
  body: unknown;
}

type Value = string | number | null;

/** Prepared statements: what is not part of their text is bound. */
export interface Sql {
  run(text: string, ...values: Value[]): void;
  one(text: string, ...values: Value[]): Record<string, unknown> | undefined;
  all(text: string, ...values: Value[]): Record<string, unknown>[];
}

function recordsIn({ run, one, all }: Sql) {
  const parsed = <Kind extends RecordKind>(
    row: Record<string, unknown> | undefined,
  ): Records[Kind] | undefined => row && JSON.parse(String(row.json));
  return {
    /** Adds a record of a wallet, a key or, with an empty owner, of the organisation. */
    add<Kind extends RecordKind>(kind: Kind, { owner, record, body }: Added<Kind>): void {
      const external = ('externalId' in record && record.externalId) || null;
      const digest = hashOf(body);
      const columns =
        'INSERT INTO records (kind, id, owner, external, digest, json) VALUES (?, ?, ?, ?, ?, ?)';
      run(columns, kind, record.id, owner, external, digest, JSON.stringify(record));
    },
    update(record: Records[RecordKind]): void {
      const external = ('externalId' in record && record.externalId) || null;
      run(
        'UPDATE records SET json = ?, external = ? WHERE id = ?',
        JSON.stringify(record),
        external,
        record.id,
      );
    },
    find: <Kind extends RecordKind>(kind: Kind, id: string) =>
      parsed<Kind>(one('SELECT json FROM records WHERE kind = ? AND id = ?', kind, id)),
    /** What was requested before under an external id. Throws Conflict when that was another request. */
    repeated<Kind extends RecordKind>(kind: Kind, owner: string, body: { externalId?: string | undefined }) {
      if (body.externalId === undefined) return undefined;
      const where = 'kind = ? AND owner = ? AND external = ?';
      const row = one(`SELECT json, digest FROM records WHERE ${where}`, kind, owner, body.externalId);
      if (row && row.digest !== hashOf(body)) {
        throw taken();
      }
      return parsed<Kind>(row);
    },
    count: (kind: RecordKind) =>
      Number(one('SELECT count(*) AS number FROM records WHERE kind = ?', kind)?.number),
    /** The newest first. */
    page<Kind extends RecordKind>(kind: Kind, { owner = '', limit, before }: PageQuery): Page<Records[Kind]> {
      const where = 'kind = ? AND owner = ? AND seq < ?';
      const text = `SELECT seq, json FROM records WHERE ${where} ORDER BY seq DESC LIMIT ?`;
      return pageOf(all(text, kind, owner, before, limit + 1), limit);
    },
  };
}

/** A page of rows, of which there is one more than the page has if another page follows. */
export function pageOf<T>(rows: Record<string, unknown>[], limit: number): Page<T> {
  const items = rows.slice(0, limit).map((row): T => JSON.parse(String(row.json)));
  const last = rows.length > limit ? rows[limit - 1]?.seq : undefined;
  return {
    items,
    ...(last === undefined ? {} : { nextPageToken: Buffer.from(String(last)).toString('base64url') }),
  };
}

/** How many open sends are read, and asked for at the chain, together. */
export const sendPage = 500;
/** Before every send. */
const start = { keyId: '', nonce: -1, id: '' };

function sendsIn({ run, one, all }: Sql) {
  return {
    addSend: ({ id, kind, keyId, nonce, hash, raw }: OpenSend) =>
      run('INSERT INTO sends VALUES (?, ?, ?, ?, ?, ?)', id, kind, keyId, nonce, hash, raw),
    removeSend: (id: string) => run('DELETE FROM sends WHERE id = ?', id),
    hasOpenSends: (): boolean => one('SELECT 1 FROM sends LIMIT 1') !== undefined,
    /** A page in the order of keys and nonces: what follows a send, or the first ones. */
    openSends: ({ keyId, nonce, id }: Pick<OpenSend, 'keyId' | 'nonce' | 'id'> = start): OpenSend[] =>
      all(
        'SELECT * FROM sends WHERE (keyId, nonce, id) > (?, ?, ?) ORDER BY keyId, nonce, id LIMIT ?',
        ...[keyId, nonce, id, sendPage],
      ).map((row) => ({
        id: String(row.id),
        kind: row.kind === 'transfer' ? 'transfer' : 'transaction',
        keyId: String(row.keyId),
        nonce: Number(row.nonce),
        hash: String(row.hash),
        raw: String(row.raw),
      })),
    /** How many are open, and the nonce after the last of them. */
    openOf(keyId: string): { count: number; nextNonce: number } {
      const row = one('SELECT count(*) AS number, max(nonce) + 1 AS next FROM sends WHERE keyId = ?', keyId);
      return { count: Number(row?.number), nextNonce: Number(row?.next ?? 0) };
    },
  };
}

/** What a caller can do about an error of the database. */
function explained(error: unknown): unknown {
  const message = messageOf(error);
  if (/database or disk is full/.test(message)) {
    const text = 'the database of this plugin is full (256 MiB): reset the state of the network';
    return new AppError('TooManyRequests', text);
  }
  if (/UNIQUE constraint failed: records\.kind, records\.owner, records\.external/.test(message))
    return taken();
  return error;
}

function taken(): AppError {
  return new AppError('Conflict', 'externalId: was used for another request; use a new one');
}
