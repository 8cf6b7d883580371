import type { Client } from '../../../../sdk/src/client.ts';
import { dryRun } from '../../../../sdk/src/dryRun.ts';
import { type ErrorDetail, isSlipwayError, SlipwayError } from '../../../../sdk/src/error.ts';
import type { Network, NetworkCreate, SecretInput } from '../../../../sdk/src/generated/types.ts';

export interface Wanted {
  body: NetworkCreate;
  /** The secret to create along; undefined for none. */
  newKey: string | undefined;
}

type Creator = { [Kind in 'networks' | 'secrets']: Pick<Client[Kind], 'create'> } & {
  secrets: Pick<Client['secrets'], 'delete'>;
};

/**
 * Creates the network, with its key before it. Both are tried first, so that one answer names all that is wrong. A key whose
 * network is refused nevertheless does not stay.
 */
export async function createWithKey(client: Creator, { body, newKey }: Wanted): Promise<Network> {
  if (newKey === undefined) return client.networks.create(body);
  const key = randomKey(newKey);
  await tryBoth(client, { body, key });
  const { id } = await client.secrets.create(key).catch((error) => Promise.reject(atKey(error)));
  return client.networks.create(body).catch(async (error: unknown) => {
    // The service keeps one that is in use, because the network exists after all.
    await client.secrets.delete(id).catch(() => {});
    throw error;
  });
}

/** A private key of 32 random bytes. It goes to the service and is not kept here. */
function randomKey(name: string): SecretInput {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const data = btoa(String.fromCharCode(...bytes));
  bytes.fill(0);
  return { name, type: 'ethereum-private-key', data };
}

async function tryBoth(client: Creator, { body, key }: { body: NetworkCreate; key: SecretInput }) {
  const network = client.networks.create(body, dryRun);
  const secret = client.secrets.create(key, dryRun).catch((error) => Promise.reject(atKey(error)));
  const errors = (await Promise.allSettled([network, secret])).flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  if (errors.length > 0) throw inOne(errors);
}

/** What both refuse in one error. Of others, the first. */
function inOne(errors: readonly unknown[]): unknown {
  const other = errors.find((error) => !isSlipwayError(error) || error.details.length === 0);
  const refusals = errors.filter((error) => isSlipwayError(error));
  const [first] = refusals;
  if (other !== undefined || !first) return other;
  const { status, reason, requestId, message } = first;
  const details = withoutEchoes(refusals.flatMap((error) => error.details));
  return new SlipwayError(message, { status, reason, requestId, details });
}

const keyPath = /^spec\.chain\.\w+\.privateKeyRef\.name$/;

/** The name of a new key comes from that of the network: what is wrong with both is said once. */
function withoutEchoes(details: readonly ErrorDetail[]): ErrorDetail[] {
  const isNamed = details.some(({ path }) => path === 'name');
  return isNamed ? details.filter(({ path }) => !keyPath.test(path)) : [...details];
}

/** What is wrong with the key, where the body of the network has it. */
function atKey(error: unknown): unknown {
  if (!isSlipwayError(error)) return error;
  const { status, reason, requestId, message } = error;
  const path = 'spec.chain.ethereum.privateKeyRef.name';
  const named = error.details.length > 0 ? error.details : [{ path, message }];
  const isOfKey = reason === 'Conflict' || error.details.length > 0;
  if (!isOfKey) return error;
  return new SlipwayError(message, {
    status,
    reason,
    requestId,
    details: named.map((one) => ({ ...one, path })),
  });
}
