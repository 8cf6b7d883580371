import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { compact } from '../../../core/lib/compact.ts';
import { type ErrorDetail, refusalWith } from '../../../core/lib/errors.ts';
import { profileOf } from '../../../core/networks/profiles.ts';
import { type RpcKeyCreate, reservedNames, reservedRefusal } from '../api/rpcKey.ts';
import { hasExpired } from '../core/standing.ts';
import type { KeyDeps } from './deps.ts';

/** Refuses a key that would open nothing. */
export function checkKey(
  { clock, servicesOf }: Pick<KeyDeps, 'clock' | 'servicesOf'>,
  { spec, status }: NetworkResource,
  { name, expiresAt, methods = [] }: RpcKeyCreate,
): void {
  const over = { path: 'expiresAt', message: 'is over: use a time in the future' };
  const shape = { type: spec.chain.type, ...compact({ profile: profileOf(spec.chain, status) }) };
  const rpc = servicesOf(shape).get('rpc');
  const isOffered = (method: string) =>
    method.endsWith('*') || rpc?.kind !== 'jsonRpc' || rpc.methodAccess(method) === 'public';
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
