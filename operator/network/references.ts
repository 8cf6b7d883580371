import { type HotKeyKind, hotAddressOf } from '../../core/accounts/hotKeys.ts';
import { addressesOfMnemonic } from '../../core/accounts/keys.ts';
import { openSecret } from '../../core/accounts/openSecret.ts';
import { type OwnSource, readOwnSource } from '../../core/accounts/ownSources.ts';
import type { Sealer } from '../../core/accounts/seal.ts';
import { validatorKeyOfMnemonic } from '../../core/accounts/validatorKeys.ts';
import type { OwnSources } from '../../core/api/installation.ts';
import type { SecretResource } from '../../core/api/resources/secret.ts';
import { createBoundedMap } from '../../core/lib/boundedMap.ts';
import { messageOf } from '../../core/lib/errors.ts';
import type { ResolvedReference } from './decide/facts.ts';

/**
 * Resolves secrets to addresses, and mnemonics also to their validator parent key. It exposes no bytes but the URLs of
 * fork sources.
 */
export interface ReferenceReader {
  hotKey(secret: SecretResource | undefined, name: string, kind: HotKeyKind): ResolvedReference;
  mnemonic(secret: SecretResource | undefined, name: string, count: number): ResolvedReference;
  forkSource(secret: SecretResource | undefined, name: string, ownSources: OwnSources): OwnSource;
}

type Resolved = Omit<Extract<ResolvedReference, { kind: 'addresses' }>, 'kind'>;
type Derive = (bytes: Buffer) => Resolved;

const maxRemembered = 10_000;

export function createReferenceReader(sealer: Sealer): ReferenceReader {
  /** Derivation is slow (BIP-39 key stretching takes milliseconds): once per version of a secret. */
  const known = createBoundedMap<string, ResolvedReference>(maxRemembered);

  function read(secret: SecretResource, use: string, derive: Derive): ResolvedReference {
    const id = `${use}/${secret.metadata.uid}/${secret.metadata.resourceVersion}`;
    const earlier = known.get(id);
    if (earlier) return earlier;
    const resolved = resolve(sealer, secret, derive);
    known.set(id, resolved);
    return resolved;
  }

  return {
    hotKey(secret, name, kind) {
      if (!secret) return missing('privateKeyRef', name);
      return read(secret, `hot/${kind}`, (bytes) => ({ addresses: [hotAddressOf(kind, bytes)] }));
    },
    mnemonic(secret, name, count) {
      if (!secret) return missing('mnemonicRef', name);
      return read(secret, `mnemonic${count}`, (bytes) => ({
        addresses: addressesOfMnemonic(bytes, count),
        validatorKey: validatorKeyOfMnemonic(bytes),
      }));
    },
    forkSource: (secret, name, ownSources) => readOwnSource(sealer, { name, secret }, ownSources),
  };
}

function resolve(sealer: Sealer, secret: SecretResource, derive: Derive): ResolvedReference {
  let bytes: Buffer | undefined;
  try {
    bytes = openSecret(sealer, secret);
    return { kind: 'addresses', ...derive(bytes) };
  } catch (error) {
    return { kind: 'unusable', message: `secret "${secret.metadata.name}": ${messageOf(error)}` };
  } finally {
    bytes?.fill(0);
  }
}

function missing(field: string, name: string): ResolvedReference {
  const message = `${field}: secret "${name}" does not exist in this workspace: create it or reference another one`;
  return { kind: 'missing', message };
}
