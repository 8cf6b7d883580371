import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector, type Dispatcher, type Pool } from 'undici';
import type { AppError } from '../lib/errors.ts';
import { isAllowedAddress } from './addresses.ts';
import { createOriginPools } from './originPools.ts';

const connectMs = 10_000;

/** Resolves a name to all its addresses, as `dns.lookup` does: one that ends with a dot without search domains. */
export type Resolve = (
  name: string,
  done: (error: Error | null, addresses: readonly { address: string; family: number }[]) => void,
) => void;

export interface GuardedAgentOptions {
  /** Whether private and loopback addresses are allowed as well. */
  allowPrivateAddresses: boolean;
  /** What a connection to an address that is not allowed fails with. */
  refusal(): AppError;
  /** Whether a name that does not resolve is refused in the same words: nobody learns which names there are inside. */
  hidesNames?: boolean;
  /** The system's resolver when absent. */
  resolve?: Resolve | undefined;
  agent: Pool.Options;
}

/**
 * Keep-alive connections to hosts that users chose. A name is resolved once for each connection, its addresses are
 * checked, and the connection goes to one of those that were checked: an answer that changes in between has no effect.
 * Redirects are never followed.
 */
export function createGuardedAgent(guard: GuardedAgentOptions): Dispatcher {
  const { allowPrivateAddresses, refusal, hidesNames = false, resolve = resolveBySystem, agent } = guard;
  const isAllowed = (address: string) => isAllowedAddress(address, { allowPrivateAddresses });
  // The search domains of a pod are those of the cluster.
  const find: Resolve = allowPrivateAddresses ? resolve : (name, done) => resolve(rooted(name), done);
  const lookup = guarded({ resolve: find, isAllowed, refusal, hidesNames });
  const connect = buildConnector({ timeout: connectMs, lookup });
  return createOriginPools({
    ...agent,
    connect(options, done) {
      // The name of a URL with an address is not looked up.
      if (isIP(options.hostname) !== 0 && !isAllowed(options.hostname)) done(refusal(), null);
      else connect(options, done);
    },
  });
}

interface Guard extends Pick<GuardedAgentOptions, 'refusal'> {
  hidesNames: boolean;
  resolve: Resolve;
  isAllowed(address: string): boolean;
}

function guarded({ resolve, isAllowed, refusal, hidesNames }: Guard): LookupFunction {
  return (name, options, done) =>
    resolve(name, (error, addresses) => {
      const [first] = addresses;
      const isRefused = !addresses.every(({ address }) => isAllowed(address));
      if (error || !first || isRefused) return done(hidesNames ? refusal() : (error ?? refusal()), '', 0);
      if (options.all) return done(null, [...addresses]);
      done(null, first.address, first.family);
    });
}

const rooted = (name: string): string => (name.endsWith('.') ? name : `${name}.`);

const resolveBySystem: Resolve = (name, done) =>
  systemLookup(name, { all: true }, (error, addresses) => done(error, addresses ?? []));
