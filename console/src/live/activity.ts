import type { Network } from '../../../sdk/src/generated/types.ts';
import type { StreamedEvent } from '../../../sdk/src/streams/events.ts';

/** Something that happened to a network while this tab was open. */
export interface Activity {
  id: string;
  type: string;
  at: string;
  state: string;
  message: string;
}

const maxActivity = 100;
/** Networks come and go for as long as a tab is open. */
export const maxNetworks = 500;

/** What happened to each network, the newest first; of the networks to which something happened last. */
export function createActivity() {
  const byNetwork = new Map<string, readonly Activity[]>();
  return {
    byNetwork,
    note({ id, type, createdAt }: StreamedEvent, { id: networkId, status }: Network): void {
      const known = byNetwork.get(networkId) ?? [];
      if (type.endsWith('.present') || known.some((one) => one.id === id)) return;
      const { state = 'Pending', message = '' } = status ?? {};
      byNetwork.delete(networkId);
      byNetwork.set(networkId, [{ id, type, at: createdAt, state, message }, ...known].slice(0, maxActivity));
      const [oldest] = byNetwork.keys();
      if (byNetwork.size > maxNetworks && oldest !== undefined) byNetwork.delete(oldest);
    },
  };
}
