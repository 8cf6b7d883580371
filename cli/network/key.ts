import { randomBytes } from 'node:crypto';
import type { Network } from '../../sdk/src/generated/types.ts';
import { type Client, isSlipwayError } from '../lib/client.ts';
import type { Context } from '../lib/context.ts';
import { fail } from '../lib/failure.ts';
import { textAt } from '../lib/values.ts';

/** A private key of 32 random bytes, as base64. */
export function randomKey(): string {
  return randomBytes(32).toString('base64');
}

/** The secret that --new-key creates for a network. */
export const newKeyName = (network: string) => `${network}-key`;

/** Of such a secret: the network that it was created for. */
const networkLabel = 'slipway-new-key-of';

/**
 * Creates the secret of a network with a random key. The id of what was created; undefined when it was created for a network of
 * this name before, and is used again.
 */
export async function createKey(
  { io, ui }: Context,
  client: Client,
  network: string,
): Promise<string | undefined> {
  const name = newKeyName(network);
  const metadata = { labels: { [networkLabel]: network } };
  const body = { name, type: 'ethereum-private-key', data: randomKey(), metadata };
  try {
    const { id } = await client.secrets.create(body, { signal: io.signal });
    ui.note(`Created secret "${name}" with a random key.`);
    return id;
  } catch (error) {
    if (!isSlipwayError(error, 'Conflict')) throw error;
    if (!(await isOwnKey(client, name, network))) throw taken(name);
    ui.note(`Using secret "${name}", which --new-key created before.`);
    return undefined;
  }
}

/** Deletes what was created for a network that is refused: the next attempt would find it there. The service keeps one that is in use. */
export async function deleteKey({ ui, client }: Context, network: string, id: string): Promise<void> {
  const { secrets } = await client();
  const isDeleted = await secrets.delete(id).then(
    () => true,
    () => false,
  );
  if (isDeleted) ui.note(`Deleted secret "${newKeyName(network)}" again: no network uses it.`);
}

/** Whether it is a secret of the caller. Whoever created another one knows its key, whatever its labels say. */
async function isOwnKey(client: Client, name: string, network: string): Promise<boolean> {
  const own = client.secrets.listAll({ selector: `metadata.name == ${name}` });
  for await (const { metadata } of own) if (metadata.labels?.[networkLabel] === network) return true;
  return false;
}

function taken(name: string): Error {
  const remedy = `Use it with --key ${name} instead of --new-key, or delete it: slipway secret delete ${name}`;
  return fail('conflict', `There is a secret "${name}" already.`, remedy);
}

/** Says that the key of a network that was deleted stays, and how to delete it. */
export function noteKept({ ui }: Context, { name, spec: { chain } }: Network): void {
  const secret = newKeyName(name);
  if (textAt(chain, `${chain.type.toLowerCase()}.privateKeyRef.name`) !== secret) return;
  ui.note(`Its key stays in secret "${secret}". To delete it as well: slipway secret delete ${secret}`);
}
