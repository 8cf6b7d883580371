import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import type { OwnSources } from '../../core/api/installation.ts';
import { AppError } from '../../core/lib/errors.ts';
import { isAllowedAddress } from './addresses.ts';
import { sourceAgentOptions } from './source.ts';

const connectMs = 10_000;

/** Resolves a name to all its addresses, as `dns.lookup` does. */
export type Resolve = (
  name: string,
  done: (error: Error | null, addresses: readonly { address: string; family: number }[]) => void,
) => void;

/**
 * Keep-alive connections to the sources of workspaces. A name is resolved once for each connection, its addresses are
 * checked, and the connection goes to one of those that were checked: an answer that changes in between has no effect.
 * Redirects are never followed.
 */
export function createGuardedAgent(ownSources: OwnSources, resolve: Resolve = resolveBySystem): Agent {
  const { allowPrivateAddresses } = ownSources;
  const isAllowed = (address: string) => isAllowedAddress(address, { allowPrivateAddresses });
  const connect = buildConnector({ timeout: connectMs, lookup: guarded(resolve, isAllowed) });
  return new Agent({
    ...sourceAgentOptions,
    connections: 16,
    connect(options, done) {
      // The name of a URL with an address is not looked up.
      if (isIP(options.hostname) !== 0 && !isAllowed(options.hostname)) done(refusal(), null);
      else connect(options, done);
    },
  });
}

function guarded(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
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

const refusal = () =>
  new AppError(
    'Forbidden',
    'the fork source has a private or reserved address, which this installation does not allow (forks.ownSources.allowPrivateAddresses)',
  );
