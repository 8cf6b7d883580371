import { createTally } from '../../../core/lib/work/tally.ts';
import { type Call, maxCalls, type WantedCalls } from '../api/calls.ts';

/** The last calls of networks, in the memory of this replica. */
export interface CallRings {
  add(network: RingOwner, call: Call): void;
  /** The last ones that are wanted, oldest first. */
  of(wanted: WantedCalls): Call[];
  drop(network: string): void;
  bytes(): number;
}

interface RingOwner {
  uid: string;
  /** Whose share of the memory the calls take. */
  account: string;
}

interface RingLimits {
  /** Per network. */
  calls: number;
  accountBytes: number;
  bytes: number;
}

const usualLimits: RingLimits = { calls: maxCalls, accountBytes: 8 * 1024 * 1024, bytes: 32 * 1024 * 1024 };

interface Ring {
  account: string;
  calls: Call[];
}

/**
 * Bounded by network, account and in total: what is over a budget costs the account that has most its oldest calls, those of its
 * network with the most.
 */
export function createCallRings(limits: RingLimits = usualLimits): CallRings {
  const rings = new Map<string, Ring>();
  const ofNetworks = createTally();
  const ofAccounts = createTally();

  function count(uid: string, { account }: Ring, bytes: number): void {
    ofNetworks.add(uid, bytes);
    ofAccounts.add(account, bytes);
  }
  function shift(uid: string, ring: Ring): void {
    const oldest = ring.calls.shift();
    if (oldest) count(uid, ring, -bytesOf(oldest));
    if (ring.calls.length === 0) rings.delete(uid);
  }
  function shiftOf(account: string): void {
    const own = [...rings].filter(([, ring]) => ring.account === account);
    const [largest] = own.sort(([one], [other]) => ofNetworks.of(other) - ofNetworks.of(one));
    if (largest) shift(...largest);
  }

  return {
    add({ uid, account }, call) {
      const ring = rings.get(uid) ?? { account, calls: [] };
      rings.set(uid, ring);
      ring.calls.push(call);
      count(uid, ring, bytesOf(call));
      if (ring.calls.length > limits.calls) shift(uid, ring);
      while (ofAccounts.of(ring.account) > limits.accountBytes) shiftOf(ring.account);
      while (ofAccounts.total() > limits.bytes) shiftOf(ofAccounts.largest() ?? ring.account);
    },
    of: (wanted) => lastOf(rings.get(wanted.network)?.calls ?? [], wanted),
    drop(uid) {
      const ring = rings.get(uid);
      if (ring) count(uid, ring, -ofNetworks.of(uid));
      rings.delete(uid);
    },
    bytes: ofAccounts.total,
  };
}

/** The last ones that are wanted. */
export function lastOf(
  calls: readonly Call[],
  { isFailedOnly, sinceMs, limit }: Omit<WantedCalls, 'network'>,
): Call[] {
  const matching = calls.filter(
    ({ error, time }) => (!isFailedOnly || error !== undefined) && Date.parse(time) >= sinceMs,
  );
  return matching.slice(-limit);
}

/** What a call occupies besides its texts, of which each character may take two bytes. */
const callBytes = 400;

function bytesOf({ method = '', params = '', error }: Call): number {
  return callBytes + 2 * (method.length + params.length + (error?.message.length ?? 0));
}
