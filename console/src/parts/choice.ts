import type { Network } from '../../../sdk/src/generated/types.ts';
import { isEvm } from '../lib/chains.ts';
import { filterNetworks } from '../pages/networks/filter.ts';

/** Networks that a form names: one by one, or whatever a selector selects when it is sent. */
export interface NetworkChoice {
  mode: 'list' | 'selector';
  ids: readonly string[];
  selector: string;
}

export const noChoice: NetworkChoice = { mode: 'list', ids: [], selector: '' };

/** The networks of EVM types, by name. */
export function evmNetworks(networks: Iterable<Network>): Network[] {
  return filterNetworks(networks, {}).filter(({ spec }) => isEvm(spec.chain.type));
}

/** The chosen networks that exist. */
export function chosenOf(networks: readonly Network[], { mode, ids, selector }: NetworkChoice): Network[] {
  if (mode === 'list') return networks.filter(({ id }) => ids.includes(id));
  return selector.trim() === '' ? [] : filterNetworks(networks, { selector });
}
