import type { Result } from '../../../../console/src/search/result.ts';
import type { EventObjects, KnownContract } from '../../../../sdk/src/generated/types.ts';
import { contractName } from '../contractName.ts';
import { pathOf } from '../pathOf.ts';
import type { Place } from './onChains.ts';
import { familyOf, targetsOf } from './targets.ts';

interface ChainPlace extends Place {
  network: EventObjects['network'];
  /** Whether the chain can be asked for it. */
  isAsked: boolean;
}

interface Networks {
  networks: readonly EventObjects['network'][];
  /** The network of the page, whose chain comes first. */
  networkId: string | undefined;
}

/** Where a block, a transaction or an address may be: on the network of the page first, and on all that run. */
export function placesOf(text: string, { networks, networkId }: Networks): ChainPlace[] {
  const running = networks.filter(({ status }) => status?.state === 'Operational');
  const first = running.filter(({ id }) => id === networkId);
  const isNumber = /^[\d#,_]+$/.test(text.trim());
  // Every chain has a block of this number.
  const places = isNumber ? first : [...first, ...running.filter(({ id }) => id !== networkId)];
  return places.flatMap((network) => {
    const family = familyOf(network.spec.chain.type);
    const [target] = targetsOf(family, text);
    const isAsked = family === 'evm' && target?.kind !== 'block';
    return target ? [{ network, networkId: network.id, target, isAsked }] : [];
  });
}

/** What is at these places. `found` are the networks whose chains have it, of those that are asked; undefined until they answer. */
export function resultsAt(places: readonly ChainPlace[], found: readonly string[] = []): Result[] {
  const there = places.filter(({ isAsked, networkId }) => !isAsked || found.includes(networkId));
  return there.map(({ network: { id, name, spec }, target }) => {
    const { kind, value } = target;
    const shown = value.length > 20 ? `${value.slice(0, 10)}…${value.slice(-6)}` : value;
    const path = pathOf(id, target);
    return { key: path, kind, title: `${shown} on ${name}`, detail: spec.chain.type, path };
  });
}

/** A contract that the service found by its name, or by that of its token. */
export function contractResult({ address, name, network, networkID, token }: KnownContract): Result {
  return {
    key: `${networkID}/${address}`,
    kind: 'contract',
    title: contractName(name),
    detail: [token?.symbol, network, address].filter(Boolean).join(' '),
    also: `${name} ${token?.name ?? ''}`.toLowerCase(),
    path: pathOf(networkID, { kind: 'address', value: address }),
  };
}
