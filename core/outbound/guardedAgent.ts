import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector, type Dispatcher, type Pool } from 'undici';
import type { AppError } from '../lib/errors.ts';
import { isAllowedAddress } from './addresses.ts';
import { createOriginPools } from './originPools.ts';

const connectMs = 10_000;

/** Resolves a name to all its addresses, as `dns.lookup` does. */
export type Resolve = (
  name: string,
  done: (error: Error | null, addresses: readonly { address: string; family: number }[]) => void,
) => void;

export interface GuardedAgentOptions {
  /** Whether private and loopback addresses are allowed as well. */
  allowPrivateAddresses: boolean;
  /** What a connection to an address that is not allowed fails with. */
  refusal(): AppError;
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
  const { allowPrivateAddresses, refusal, resolve = resolveBySystem, agent } = guard;
  const isAllowed = (address: string) => isAllowedAddress(address, { allowPrivateAddresses });
  const connect = buildConnector({ timeout: connectMs, lookup: guarded({ resolve, isAllowed, refusal }) });
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
  resolve: Resolve;
  isAllowed(address: string): boolean;
}

function guarded({ resolve, isAllowed, refusal }: Guard): LookupFunction {
  return (name, options, done) =>
    resolve(name, (error, addresses) => {
      const [first] = addresses;
      const isRefused = !addresses.every(({ address }) => isAllowed(address));
      if (error || !first || isRefused) return done(error ?? refusal(), '', 0);
      if (options.all) return done(null, [...addresses]);
      done(null, first.address, first.family);
    });
}

const resolveBySystem: Resolve = (name, done) =>
  systemLookup(name, { all: true }, (error, addresses) => done(error, addresses ?? []));
