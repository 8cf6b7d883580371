import type { Handler } from '../http/pipeline/handler.ts';
import type { NetworkDeps } from './deps.ts';

/** What networks can be on this installation. The same for every workspace. */
export function listChainTypes({ chainTypes, lifetimes }: NetworkDeps): Handler<'listChainTypes'> {
  const { afterSeconds: idleAfterSeconds } = lifetimes.idle;
  return async () => ({
    body: { kind: 'ChainTypeList', version: 'v1alpha', items: chainTypes(), idleAfterSeconds },
  });
}
