import type { Deployment, Token } from '../../../../sdk/src/generated/types.ts';
import { type Selectable, selected } from '../../lib/listFilter.ts';
import type { ListSearch } from '../../lib/listSearch.ts';

/** What the API selects tokens by. */
export const selectableTokens: Selectable<Token> = {
  fields: { type: ({ type }) => type, name: ({ name }) => name, symbol: ({ symbol }) => symbol },
  labelsOf: ({ metadata }) => metadata?.labels,
};

/** The tokens that match, the newest first. */
export function filterTokens(tokens: Iterable<Token>, { q = '', selector }: ListSearch): Token[] {
  const part = q.toLowerCase();
  const hasPart = ({ name, symbol }: Token) => `${symbol} ${name}`.toLowerCase().includes(part);
  return selected(tokens, selectableTokens, selector)
    .filter(hasPart)
    .sort((a, b) => (b.created_at ?? '').localeCompare(a.created_at ?? '') || a.id.localeCompare(b.id));
}

/** The state of a deployment, also from a service that does not say it yet. */
export function stateOf({ state, token_address }: Deployment): string {
  return state ?? (token_address === '' ? 'Pending' : 'Deployed');
}

/** Whether a deployment only goes on when somebody asks for it. */
export function canRetry(deployment: Deployment): boolean {
  return ['Error', 'Lost'].includes(stateOf(deployment));
}

/** How many deployments are complete, and the state to look at first. */
export function summaryOf({ deployments = [] }: Token): { done: number; all: number; state: string } {
  const states = deployments.map(stateOf);
  const worst = ['Error', 'Lost', 'Deploying', 'Pending'].find((state) => states.includes(state));
  const done = states.filter((state) => state === 'Deployed').length;
  return { done, all: states.length, state: worst ?? (states.length > 0 ? 'Deployed' : 'Pending') };
}

/** The networks that these tokens are on: those with the most tokens first. */
export function networksOf(tokens: readonly Token[]): string[] {
  const counts = new Map<string, number>();
  for (const { network_id } of tokens.flatMap(({ deployments = [] }) => deployments)) {
    counts.set(network_id, (counts.get(network_id) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([id]) => id);
}
