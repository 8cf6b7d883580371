/** For operations that refer to no object by its id. */
export const none = 'no object id';

/** Ids of objects of every kind. */
export interface Ids {
  network: string;
  secret: string;
  snapshot: string;
  webhook: string;
  token: string;
  recording: string;
  workspace: string;
  user: string;
  invitation: string;
  key: string;
}

/** The path parameters or body with which an operation refers to an object by id. */
interface Probe {
  params?: Record<string, string>;
  body?: object;
}

/** Well-formed ids that do not exist, for each kind. */
export const unknownIds: Ids = {
  network: '00000000-0000-4000-8000-000000000000',
  secret: '00000000-0000-4000-8000-000000000001',
  token: '00000000-0000-4000-8000-000000000002',
  recording: '00000000-0000-4000-8000-000000000003',
  snapshot: '00000000-0000-4000-8000-000000000004',
  webhook: '00000000-0000-4000-8000-000000000005',
  workspace: `w${'0'.repeat(24)}`,
  user: `u${'0'.repeat(24)}`,
  invitation: `i${'0'.repeat(24)}`,
  key: `k${'0'.repeat(24)}`,
};

export type Row = typeof none | ((ids: Ids) => Probe);

export const networkRow = ({ network }: Ids) => ({ params: { id: network } });
