import type { Client } from '../../../../sdk/src/client.ts';
import type { Network, NetworkInput } from '../../../../sdk/src/generated/types.ts';

interface Replaced {
  changed: Network;
  /** What else the change does, such as starting a new chain. */
  warning: string | undefined;
}

/** Replaces a network. The answer says in a header what the change does to its chain. */
export async function replaceNetwork(client: Client, id: string, body: NetworkInput): Promise<Replaced> {
  const response = await client.open('PUT', `/v1alpha/networks/${encodeURIComponent(id)}`, { body });
  const changed: Network = await response.json();
  return { changed, warning: warningText(response.headers.get('warning')) };
}

/** The text of `299 - "text"`. */
export function warningText(header: string | null): string | undefined {
  return /^\d+ \S+ "((?:[^"\\]|\\.)*)"/.exec(header ?? '')?.[1]?.replaceAll(/\\(.)/g, '$1');
}
