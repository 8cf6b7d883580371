import { shapeOf } from '../../../apiserver/gateway/wake/networks.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { type ErrorDetail, refusalWith } from '../../../core/lib/errors.ts';
import { requireOwnUrls } from '../../../core/networks/ownUrls.ts';
import { type RpcKeyCreate, reservedNames, reservedRefusal } from '../api/rpcKey.ts';
import { hasExpired, membersKeys } from '../core/standing.ts';
import type { KeyDeps } from './deps.ts';

/** Refuses a key that would open nothing. */
export function checkKey(
  { clock, servicesOf }: Pick<KeyDeps, 'clock' | 'servicesOf'>,
  network: NetworkResource,
  { name, expiresAt, methods = [] }: RpcKeyCreate,
): void {
  requireOwnUrls(network, membersKeys);
  const over = { path: 'expiresAt', message: 'is over: use a time in the future' };
  const rpc = servicesOf(shapeOf(network)).get('rpc');
  const isOffered = (method: string) => {
    if (rpc?.kind !== 'jsonRpc') return true;
    if (!method.endsWith('*')) return rpc.methodAccess(method) === 'public';
    const beginning = method.slice(0, -1);
    const [namespace, ...rest] = beginning.split('_');
    // Which methods a namespace has is the node's to know.
    if (rest.length === 0 || rpc.methodAccess(`${namespace}_`) === 'public') return true;
    const { named = [] } = rpc;
    return named.some((one) => one.startsWith(beginning) && rpc.methodAccess(one) === 'public');
  };
  const details = methods.flatMap((method, index): ErrorDetail[] =>
    isOffered(method)
      ? []
      : [{ path: `methods[${index}]`, message: `${method} is not available on the public URL: remove it` }],
  );
  const isTaken = reservedNames.includes(name);
  const taken = { path: 'name', message: reservedRefusal };
  const all = [
    ...(isTaken ? [taken] : []),
    ...(hasExpired(expiresAt, clock.nowMs()) ? [over] : []),
    ...details,
  ];
  if (all.length > 0) throw refusalWith('invalid key', all);
}
