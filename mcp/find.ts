import { z } from 'zod';
import type { Network } from '../sdk/src/generated/types.ts';
import type { ToolContext } from './tool.ts';

/** Longer than any name or id. */
export const nameInput = z.string().max(256);

export const networkInput = nameInput.describe('Name or id of a network.');
/** Of a tool that works on one network. */
export const named = z.object({ network: networkInput });
export const addressInput = nameInput.describe(
  '0x and 40 hexadecimal digits, or the name of an address in the address book.',
);

const mayBeName = /^[-a-z0-9]{1,63}$/;

/** The network with this name or id, as a list shows it: it is not woken. Throws Error with what to do. */
export async function findNetwork({ client, signal }: ToolContext, given: string): Promise<Network> {
  // Names are asked for far more often than ids, and a list filtered by name has one page.
  const selectors = mayBeName.test(given) ? [`metadata.name == ${given}`, undefined] : [undefined];
  for (const selector of selectors) {
    for await (const network of client.networks.listAll({ selector }, { signal })) {
      if (network.name === given || network.id === given) return network;
    }
  }
  throw new Error(`there is no network "${given}" in this workspace: see list_networks`);
}

/** The address that was written out, or has this name. Throws Error with what to do. */
export async function findAddress({ addressNamed }: ToolContext, given: string): Promise<string> {
  if (/^0x[0-9a-fA-F]{40}$/.test(given)) return given;
  const named = /^0x/i.test(given) ? undefined : await addressNamed(given);
  if (named !== undefined) return named;
  throw new Error(
    `"${given}" is not an address, nor a name in the address book: write 0x and 40 hexadecimal digits`,
  );
}

/** The same; undefined where none is given. */
export async function findAddressIfAny(context: ToolContext, given?: string): Promise<string | undefined> {
  return given === undefined ? undefined : findAddress(context, given);
}

/** At most `limit` of a list. */
export async function atMost<T>(items: AsyncIterable<T>, limit: number): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) {
    found.push(item);
    if (found.length >= limit) break;
  }
  return found;
}

export const limitInput = z.int().min(1).max(100).default(25).describe('How many at most.');
