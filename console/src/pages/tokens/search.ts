import { type ListSearch, listSearch } from '../../lib/listSearch.ts';

export interface TokensSearch extends ListSearch {
  view?: 'list';
}

export function tokensSearch(search: Record<string, unknown>): TokensSearch {
  return { ...listSearch(search), ...(search.view === 'list' ? { view: 'list' } : {}) };
}
