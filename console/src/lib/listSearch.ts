/** The filters of a list, as its address has them. */
export interface ListSearch {
  /** A part of the name. */
  q?: string;
  /** A selector of the API. */
  selector?: string;
}

/** Without what is empty or not a filter. */
export function listSearch(search: Record<string, unknown>): ListSearch {
  const { q, selector } = search;
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...(typeof selector === 'string' && selector !== '' ? { selector } : {}),
  };
}
