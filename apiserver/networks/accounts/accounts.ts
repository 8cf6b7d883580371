import { type HotKeyKind, hotAddressOf } from '../../../core/accounts/hotKeys.ts';
import { keysOfMnemonic } from '../../../core/accounts/keys.ts';
import { openSecret } from '../../../core/accounts/openSecret.ts';
import type { Sealer } from '../../../core/accounts/seal.ts';
import { defaultKeyName } from '../../../core/api/names.ts';
import { chainTypes } from '../../../core/api/resources/chainSpecs.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { SecretResource } from '../../../core/api/resources/secret.ts';
import type { FundedAccount } from '../../../core/api/rest/accounts/funded.ts';
import { developmentAccounts, fundsDevelopmentAccounts } from '../../../core/chains/developmentAccounts.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import type { Principal } from '../../http/auth/principal.ts';
import { mayReadData } from '../../secrets/mayReadData.ts';
import type { StoredKinds } from '../../store/storedKinds.ts';
import type { FindAccount } from '../../transactions/defaultKey.ts';

export interface FundedAccountDeps {
  kinds: Pick<StoredKinds, 'networks' | 'secrets'>;
  sealer: Sealer;
  /** The account with which the service signs for a user. */
  findAccount: FindAccount;
}

/** An account, and how its key is read by whoever may. */
export interface Account extends FundedAccount {
  readKey?: () => string;
}

const mnemonicCount = 10;

type Given = Pick<FundedAccountDeps, 'kinds' | 'sealer'> & {
  network: Stored<NetworkResource>;
  principal: Principal;
};

/** The accounts that a network's spec funds, and the caller's own. The first of several with one address counts. */
export async function accountsOf(
  deps: FundedAccountDeps,
  network: Stored<NetworkResource>,
  principal: Principal,
): Promise<Account[]> {
  const given = { ...deps, network, principal };
  const known = fundsDevelopmentAccounts(network.spec.chain) ? publicAccounts() : [];
  const found = [
    ...hotAccount(given),
    ...mnemonicAccounts(given),
    ...(await ownAccount(deps, given)),
    ...known,
  ];
  const first = new Map<string, Account>();
  for (const account of found) if (!first.has(account.address)) first.set(account.address, account);
  return [...first.values()];
}

function hotAccount(given: Given): Account[] {
  const { network } = given;
  const spec = specOf(network);
  const name = spec && 'privateKeyRef' in spec ? spec.privateKeyRef?.name : undefined;
  const kind = hotKindOf(network);
  if (name === undefined || kind === undefined) return [];
  return derived(given, name, (bytes) => [
    { address: hotAddressOf(kind, bytes), source: 'privateKeyRef', secret: name, ...keyOf(kind, bytes) },
  ]);
}

function mnemonicAccounts(given: Given): Account[] {
  const spec = specOf(given.network);
  const name = spec && 'mnemonicRef' in spec ? spec.mnemonicRef?.name : undefined;
  if (name === undefined) return [];
  return derived(given, name, (bytes) =>
    keysOfMnemonic(bytes, mnemonicCount).map(({ address, privateKey }, index) => ({
      address,
      source: 'mnemonicRef',
      secret: name,
      index,
      readKey: () => privateKey,
    })),
  );
}

const publicAccounts = (): Account[] =>
  developmentAccounts().map(({ address, privateKey }, index) => ({
    address,
    source: 'developmentAccounts',
    index,
    hasKey: true,
    readKey: () => privateKey,
  }));

/** The account of the caller's default key, which has funds on EVM networks. Its key is for their personal workspace. */
async function ownAccount({ findAccount }: FundedAccountDeps, given: Given): Promise<Account[]> {
  const { network, principal } = given;
  if (hotKindOf(network) !== 'evm') return [];
  const here = derived(given, defaultKeyName, (bytes) => [
    { address: hotAddressOf('evm', bytes), source: 'caller', secret: defaultKeyName, ...keyOf('evm', bytes) },
  ]).filter(({ hasKey }) => hasKey);
  const own = await findAccount(principal.userId).catch(() => undefined);
  if (!own || here.some(({ address }) => address === own.address)) return here;
  return [{ address: own.address, source: 'caller', hasKey: false }];
}

type Derived = Omit<Account, 'hasKey'>;

/** What is derived from a secret; nothing if it is missing or not what it should be, which the network's status says. */
function derived(
  { kinds, sealer, principal }: Given,
  name: string,
  derive: (bytes: Buffer) => Derived[],
): Account[] {
  const secret = kinds.secrets.cache.byName(principal.namespace, name);
  if (!secret) return [];
  const mayRead = mayReadData(principal, secret);
  const accounts = readWith(sealer, secret, derive);
  return accounts.map(({ readKey, ...account }) => ({
    ...account,
    hasKey: mayRead && readKey !== undefined,
    ...(mayRead && readKey ? { readKey } : {}),
  }));
}

function readWith(sealer: Sealer, secret: SecretResource, derive: (bytes: Buffer) => Derived[]): Derived[] {
  let bytes: Buffer | undefined;
  try {
    bytes = openSecret(sealer, secret);
    return derive(bytes);
  } catch {
    return [];
  } finally {
    bytes?.fill(0);
  }
}

/** Keys of other families have forms of their own: they are read from their secrets. */
function keyOf(kind: HotKeyKind, bytes: Buffer): Pick<Account, 'readKey'> {
  if (kind !== 'evm') return {};
  const privateKey = `0x${bytes.toString('hex')}`;
  return { readKey: () => privateKey };
}

function specOf({ spec }: Stored<NetworkResource>) {
  return spec.chain[chainTypes[spec.chain.type].member];
}

function hotKindOf({ spec }: Stored<NetworkResource>): HotKeyKind | undefined {
  const { family } = chainTypes[spec.chain.type];
  return family === 'layerzero' ? undefined : family;
}
