/** For operations that refer to no object by its id. */
export const none = 'no object id';

/** Ids of objects of every kind. */
export interface Ids {
  network: string;
  secret: string;
  snapshot: string;
  token: string;
  recording: string;
  workspace: string;
  user: string;
  invitation: string;
  key: string;
  /** Of features. */
  [kind: string]: string;
}

/** The path parameters or body with which an operation refers to an object by id. */
interface Probe {
  params?: Readonly<Record<string, string | undefined>>;
  body?: object;
}

export type Row = typeof none | ((ids: Ids) => Probe);

export const networkRow = ({ network }: Ids) => ({ params: { id: network } });
export const workspaceRow = ({ workspace }: Ids) => ({ params: { id: workspace } });
