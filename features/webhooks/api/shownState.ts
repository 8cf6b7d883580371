/** The state of a webhook as people mean it: one whose attempts fail is not well, although it is Active and goes on. */
export function shownState({
  state,
  failingSince,
}: {
  state?: string | undefined;
  failingSince?: string | undefined;
}): string {
  return state === 'Active' && failingSince ? 'Failing' : state || 'Pending';
}
