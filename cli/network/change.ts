import type { Network, NetworkInput } from '../../sdk/src/generated/types.ts';
import { type Client, isSlipwayError } from '../lib/client.ts';
import { findNetwork } from '../lib/resolve.ts';

export type Changed = Pick<NetworkInput, 'spec'> & { labels?: Record<string, string> | undefined };

const attempts = 4;

/** Replaces a network by what `change` makes of it; once more when somebody else changed it meanwhile. */
export async function changeNetwork(
  client: Client,
  given: string,
  change: (network: Network) => Changed,
): Promise<{ before: Network; after: Network }> {
  for (let attempt = 1; ; attempt += 1) {
    const before = await findNetwork(client, given);
    const { spec, labels } = change(before);
    const metadata = { rev: before.metadata.rev, ...(labels ? { labels } : {}) };
    try {
      return { before, after: await client.networks.replace(before.id, { metadata, spec }) };
    } catch (error) {
      if (!isSlipwayError(error, 'Conflict') || attempt === attempts) throw error;
    }
  }
}

export type MaintenanceAction = 'Restart' | 'ResetState' | 'Resync';

/** The spec that asks for the action once more, and the nonce that tells when it was taken up. */
export function withMaintenance(
  network: Network,
  action: MaintenanceAction,
): { spec: Network['spec']; nonce: number } {
  const { spec, status } = network;
  const nonce = 1 + Math.max(spec.maintenanceRequest?.nonce ?? 0, status?.observedMaintenanceNonce ?? 0);
  return { nonce, spec: { ...spec, maintenanceRequest: { action, nonce } } };
}
