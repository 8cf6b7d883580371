/** One revision from `helm history`. */
export interface Revision {
  revision: number;
  status: string;
  description: string;
}

/** Parses the output of `helm history --output json`, oldest first. */
export function parseHistory(json: string): Revision[] {
  const lines = JSON.parse(json) as Revision[];
  return lines
    .map(({ revision, status, description }) => ({ revision, status, description }))
    .sort((one, other) => one.revision - other.revision);
}

/** Revisions that helm started but never finished because it was killed. */
export function pendingRevisions(history: Revision[]): Revision[] {
  return history.filter(({ status }) => status.startsWith('pending-'));
}
