import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { currentKeyOf, type Keyring } from '../../core/accounts/keyring.ts';
import type { Position } from '../../core/events/log/eventLog.ts';
import { logNames } from '../../core/events/watchedTypes.ts';

/** Ids of positions, which are the ids of server-sent events. */
export interface PositionIds {
  seal(workspaceId: string, position: Position): string;
  /** Undefined if the id is not of this workspace and installation. */
  open(workspaceId: string, id: string): Position | undefined;
}

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/**
 * Positions are encrypted, because revisions count the writes of all workspaces. Every replica can open them while their
 * key is installed. All streams of a workspace that are at the same position have the same id, so it is sealed once.
 * They are of a workspace's object, whose uid `uidOf` gives: revisions of the cluster that a workspace was restored from
 * mean nothing here.
 */
export function createPositionIds(
  keyring: Keyring,
  uidOf: (workspaceId: string) => string | undefined,
): PositionIds {
  const keys = [...keyring.keys.values()].map(derive);
  const current = derive(currentKeyOf(keyring));
  const last = new Map<string, { text: string; id: string }>();
  const scopeOf = (workspaceId: string) => uidOf(workspaceId) ?? workspaceId;

  return {
    seal(workspaceId, position) {
      const scope = scopeOf(workspaceId);
      const text = formatPosition(position);
      const known = last.get(scope);
      if (known?.text === text) return known.id;
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, current, iv).setAAD(hashOf(scope));
      const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
      const id = Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
      last.set(scope, { text, id });
      return id;
    },
    open(workspaceId, id) {
      const bytes = Buffer.from(id, 'base64url');
      if (bytes.length <= ivBytes + tagBytes) return undefined;
      const texts = keys.map((key) => decrypt(key, bytes, scopeOf(workspaceId)));
      const text = texts.find((found) => found !== undefined);
      return text === undefined ? undefined : parsePosition(text);
    },
  };
}

function derive(key: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'slipway event positions', 32));
}

function hashOf(scope: string): Buffer {
  return createHash('sha256').update(scope).digest();
}

function decrypt(key: Buffer, bytes: Buffer, scope: string): string | undefined {
  try {
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes))
      .setAAD(hashOf(scope))
      .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

function formatPosition({ revisions, partly }: Position): string {
  const parts = logNames.map((name) => `${name}=${revisions[name]}`);
  return [...parts, ...(partly ? [`${partly.log}+${partly.revision}+${partly.sent}`] : [])].join(',');
}

/** Undefined when it lacks a kind: another version of the service wrote it. */
function parsePosition(text: string): Position | undefined {
  const parts = text.split(',');
  const found = new Map(parts.map((part) => part.split('=') as [string, string]));
  const entries = logNames.map((name) => [name, found.get(name)] as const);
  if (entries.some(([, revision]) => revision === undefined || !/^\d+$/.test(revision))) return undefined;
  const revisions = Object.fromEntries(
    entries.map(([name, revision]) => [name, BigInt(revision ?? 0)]),
  ) as Position['revisions'];
  const [log, revision, sent] = parts.at(-1)?.split('+') ?? [];
  const name = logNames.find((one) => one === log);
  if (!name || !revision || !sent) return { revisions };
  return { revisions, partly: { log: name, revision: BigInt(revision), sent: Number(sent) } };
}
