/** Names that both processes and the chart agree on. */
export const apiGroup = 'slipway.dev';
export const crdVersion = 'v1alpha1';
export const apiVersion = `${apiGroup}/${crdVersion}`;

export const labels = {
  /** On every object that has an id over REST: the id, which is not its uid, so that it survives a restore (core/api/ids.ts). */
  id: `${apiGroup}/id`,
  /** On a workspace's namespace and on every object in it: the workspace's id. */
  workspace: `${apiGroup}/workspace`,
  /** On a password: a keyed hash of the address that it signs in with. */
  address: `${apiGroup}/address`,
  /** On a user's object: the id of the user who owns it. */
  owner: `${apiGroup}/owner`,
  /** On a membership and on an API key: the id of its user. */
  user: `${apiGroup}/user`,
  /** On a namespace that the operator created, and on the objects it maintains there: the workspace's id. */
  workspaceNamespace: `${apiGroup}/workspace-namespace`,
  /** On each child of a network: the network's id. On a pod that waits for its network: `waiting`. */
  network: `${apiGroup}/network`,
  /** On each engine pod: the part of the network that it runs (`rpc`, `el-1`, …). */
  part: `${apiGroup}/part`,
  /** On each child of a network that one of its plugins runs: the plugin. */
  plugin: `${apiGroup}/plugin`,
  /** On each engine pod and verified contract: the incarnation of the network that it belongs to. */
  incarnation: `${apiGroup}/incarnation`,
  /** On each chunk of a recording: the id of the recording. */
  recording: `${apiGroup}/recording`,
  /** On each part of a snapshot: the id of the snapshot. */
  snapshot: `${apiGroup}/snapshot`,
  /** On each batch of deliveries: the id of the webhook. */
  webhook: `${apiGroup}/webhook`,
  /** On each Outbox: the sender queue that it belongs to. */
  queue: `${apiGroup}/sender-queue`,
  /** On each journal: the first part of its scope. */
  scope: `${apiGroup}/scope`,
  /** On each Outbox with the role `archive`: when its newest batch was settled, in minutes since the epoch. */
  settled: `${apiGroup}/settled`,
  /** On each Outbox: its role (`queue`, `bytes` or `archive`). */
  role: `${apiGroup}/role`,
} as const;

export const annotations = {
  /** Set to any new value by a user to wake a stopped network. */
  wake: `${apiGroup}/wake`,
  /** Set to any new value by a user to stop a network. */
  stop: `${apiGroup}/stop`,
  /** Set to "true" by a user so that the last calls to a network are kept. */
  keepCalls: `${apiGroup}/keep-calls`,
  /** Set to any new value by a user to resume a webhook that was paused because its receiver failed. */
  resume: `${apiGroup}/resume`,
  /** On a namespace that the operator created: the uid of its Workspace object. */
  workspaceUid: `${apiGroup}/workspace-uid`,
  /** On a namespace that the operator created: the epoch with which keys begin in it (core/networks/firstKeyEpoch.ts). */
  firstKeyEpoch: `${apiGroup}/first-key-epoch`,
  /** On every object that a restore wrote: the id of the backup. */
  restoredFrom: `${apiGroup}/restored-from`,
  /** On an object that was created with an Idempotency-Key: its idempotency record. */
  idempotency: `${apiGroup}/idempotency`,
  /** On an object that requests with an Idempotency-Key changed: the marks of the last ones, with commas between. */
  requests: `${apiGroup}/requests`,
  /** On a membership: the invitation that created it. */
  invitation: `${apiGroup}/invitation`,
  /** On a user: the identities that were unlinked last, which no e-mail address links again. */
  unlinked: `${apiGroup}/unlinked`,
  /** On a verified contract: what lists show of it, as JSON, so that they need not read its sources. */
  contract: `${apiGroup}/contract`,
  /** On a token that REST created: the total supply that was asked for. */
  totalSupply: `${apiGroup}/total-supply`,
  /** On a network of 0.3: the seal with which its URLs keep the keys that they had (core/networks/keyScopes.ts). */
  formerKeys: `${apiGroup}/former-keys`,
  /** On each engine pod: how many maintenance requests had begun when it was created. */
  maintenance: `${apiGroup}/maintenance`,
  /** On each engine pod: the revision of its incarnation when it was created. */
  revision: `${apiGroup}/revision`,
  /** On each engine pod that waited, or waits, for its network: the hash of what does not depend on the network. */
  warm: `${apiGroup}/warm`,
  /** On each engine pod that waited for its network: when it got one. */
  adopted: `${apiGroup}/adopted`,
  /** On an object that a traced request created or changed: its span, signed for the object (core/tracing/stamps.ts). */
  trace: `${apiGroup}/traceparent`,
  /** On the Lease `writtenLease`, with the id of a replica: the newest versions that it has acknowledged, by kind, as JSON. */
  written: `${apiGroup}/written-`,
} as const;

/** The Lease of the operator that leads. */
export const leaderLease = 'slipway-operator';

/** The Lease on which replicas of the API server publish what they have written. */
export const writtenLease = 'slipway-written';

/** Leases of replicas of 0.3, which run beside newer ones during an upgrade. */
export const formerWriterLeases = [0, 1, 2, 3, 4, 5, 6, 7].map((index) => `slipway-writers-${index}`);

/**
 * What engines there are: three ConfigMaps in the service's namespace, with an entry for each engine, and the Lease of the
 * builder, without which nothing that it offers counts.
 */
export const engineObjects = {
  /** What the chart wants. */
  chart: 'slipway-engines',
  /** What is available besides, written by the builder, `make up` and `make engines`. */
  available: 'slipway-engines-available',
  /** What networks wait for, written by the operator. */
  wanted: 'slipway-engines-wanted',
  builder: 'slipway-engine-builder',
} as const;

/**
 * The ConfigMap in the service's namespace that says which workspaces have one owner, written by the operator and mounted in the
 * fork proxy, which may read no objects.
 */
export const workspaceSharesObject = 'slipway-workspace-shares';

/** The value of the label `network` on a pod that waits for its network: the policies of engines apply, no Service selects it. */
export const waitingNetwork = 'waiting';

export const finalizer = `${apiGroup}/operator`;

/** The user of the bootstrap key. */
export const adminUserId = 'admin';

/** The Secret in a user's personal workspace whose key signs the user's transactions. */
export const defaultKeyName = 'default-key';

/** Field managers of server-side apply: each owns its own fields. */
export const fieldManagers = { apiserver: 'slipway-apiserver', operator: 'slipway-operator' } as const;
