/** The filters of the list, as its address has them. */
export interface NetworksSearch {
  /** Part of the name. */
  q?: string;
  /** A selector of the API. */
  selector?: string;
}

export function networksSearch(search: Record<string, unknown>): NetworksSearch {
  const { q, selector } = search;
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...(typeof selector === 'string' && selector !== '' ? { selector } : {}),
  };
}
