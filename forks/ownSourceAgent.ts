import type { Dispatcher } from 'undici';
import type { OwnSources } from '../core/api/installation.ts';
import { AppError } from '../core/lib/errors.ts';
import { createGuardedAgent, type Resolve } from '../core/outbound/guardedAgent.ts';
import { sourceAgentOptions } from './source.ts';

/** Keep-alive connections to the sources of workspaces, at addresses that the installation allows. */
export function createOwnSourceAgent({ allowPrivateAddresses }: OwnSources, resolve?: Resolve): Dispatcher {
  return createGuardedAgent({
    allowPrivateAddresses,
    resolve,
    refusal,
    agent: { ...sourceAgentOptions, connections: 2 * maxAtOnceOfAccount },
  });
}

/** How many calls the sources of one account are asked at a time: no more than half of a host's connections. */
export const maxAtOnceOfAccount = 64;

const refusal = () =>
  new AppError(
    'Forbidden',
    'the fork source has a private or reserved address, which this installation does not allow (forks.ownSources.allowPrivateAddresses)',
  );
