import type {
  PositionStore,
  RelayMessage,
  RelayPosition,
  RelayProtocol,
} from '../../crosschain/relay/protocol.ts';
import { createRelay, type RelayEvents } from '../../crosschain/relay/relay.ts';
import { systemClock } from '../../lib/clock.ts';
import { type Durable, type Hook, portsOf, type TestNetwork } from './networks.ts';

export interface MemoryPositions extends PositionStore {
  all: Map<string, RelayPosition>;
}

export function createMemoryPositions(): MemoryPositions {
  const all = new Map<string, RelayPosition>();
  return {
    all,
    load: async (key) => all.get(key),
    save: async (key, position) => void all.set(key, position),
  };
}

export interface RelayedWorld {
  networks: TestNetwork[];
  durable: Durable;
  positions: PositionStore;
  hook?: Hook;
}

/** Reads all sources to their heads and delivers what is due. Returns why messages failed, in order. */
export async function relayAll<Message extends RelayMessage>(
  protocol: RelayProtocol<Message>,
  { networks, durable, positions, hook }: RelayedWorld,
): Promise<string[]> {
  const failures: string[] = [];
  const events: RelayEvents = {
    delivered: () => undefined,
    failed: (_source, _message, { reason }) => void failures.push(reason),
    waiting: () => undefined,
    wentBack: () => undefined,
    interrupted: () => undefined,
  };
  const relay = createRelay(protocol, {
    ...portsOf(networks, durable, hook),
    positions,
    firstBlock: async () => 0,
    clock: systemClock,
    events,
  });
  for (const source of protocol.sources) {
    let hasMore = true;
    while (hasMore) hasMore = await relay.pass(source);
  }
  return failures;
}
