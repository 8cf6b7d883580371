import type { Client } from '../../../../sdk/src/client.ts';
import { isSlipwayError, SlipwayError } from '../../../../sdk/src/error.ts';
import type { Network, NetworkCreate } from '../../../../sdk/src/generated/types.ts';

export interface Wanted {
  body: NetworkCreate;
  /** The secret to create along; undefined for none. */
  newKey: string | undefined;
}

type Creator = { [Kind in 'networks' | 'secrets']: Pick<Client[Kind], 'create'> } & {
  secrets: Pick<Client['secrets'], 'delete'>;
};

/** Creates the network, with its key before it. A key whose network was refused does not stay. */
export async function createWithKey(client: Creator, { body, newKey }: Wanted): Promise<Network> {
  const keyId = newKey === undefined ? undefined : await createKey(client, newKey);
  return client.networks.create(body).catch(async (error: unknown) => {
    // The service keeps one that is in use, because the network exists after all.
    if (keyId !== undefined) await client.secrets.delete(keyId).catch(() => {});
    throw error;
  });
}

/** A private key of 32 random bytes. It goes to the service and is not kept here. */
async function createKey({ secrets }: Creator, name: string): Promise<string> {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const data = btoa(String.fromCharCode(...bytes));
  bytes.fill(0);
  const { id } = await secrets.create({ name, type: 'ethereum-private-key', data }).catch((error) => {
    throw isSlipwayError(error, 'Conflict') ? atKey(error) : error;
  });
  return id;
}

/** The name that is taken is that of the key. */
function atKey(error: SlipwayError): SlipwayError {
  const { status, reason, requestId, message } = error;
  const details = [{ path: 'spec.chain.ethereum.privateKeyRef.name', message }];
  return new SlipwayError(message, { status, reason, requestId, details });
}
