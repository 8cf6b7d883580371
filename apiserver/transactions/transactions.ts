import { type DefaultWorkspace, namespaceOf, personalWorkspaceIdOf } from '../../core/accounts/ids.ts';
import type { Keyring } from '../../core/accounts/keyring.ts';
import { personalWorkspaceOf } from '../../core/accounts/objects.ts';
import type { Sealer } from '../../core/accounts/seal.ts';
import type { Kube } from '../../core/kube/kube.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import type { Log } from '../../core/lib/log.ts';
import type { Touch } from '../../core/networks/activity.ts';
import { createWake } from '../../core/networks/wake.ts';
import { createOpenBudget } from '../../core/outbox/openBudget.ts';
import { createSend } from '../../core/outbox/send.ts';
import { createSenderQueues } from '../../core/outbox/senderQueues.ts';
import { createSigner, type Signer } from '../../core/signing/signer.ts';
import type { StorageLedger } from '../../core/storage/ledger.ts';
import type { UpstreamLookup } from '../gateway/deps.ts';
import { createNetworkLookup } from '../gateway/wake/networks.ts';
import type { Cursors } from '../http/paging/cursor.ts';
import type { Handlers } from '../http/pipeline/handler.ts';
import { byUid } from '../store/cache.ts';
import type { Caches } from '../store/caches.ts';
import { forCallers, type Store } from '../store/kubeErrors.ts';
import type { ReadsAfterWrites } from '../store/readsAfterWrites.ts';
import type { StoredKinds } from '../store/storedKinds.ts';
import type { Directory } from '../workspaces/directory/directory.ts';
import { createFindAccount } from './defaultKey.ts';
import { createNodes, type Nodes } from './nodes.ts';
import { getSubmission, listSubmissions, type ReadDeps } from './read.ts';
import { submitTransactions } from './submit.ts';
import { createSubmitFor } from './submitter.ts';

export interface TransactionsOptions {
  kube: Store & Kube;
  caches: Caches;
  kinds: Pick<StoredKinds, 'networks'>;
  reads: Pick<ReadsAfterWrites, 'catchUpIn'>;
  users: Directory['users'];
  defaultWorkspace: DefaultWorkspace;
  sealer: Sealer;
  accessKeys: Keyring;
  touch: Touch;
  upstreams: UpstreamLookup;
  /** `installation.rpc`. */
  rpc: { holdSeconds: number; maxBodyBytes: number };
  cursors: Cursors;
  /** What workspaces may store. */
  storage: Pick<StorageLedger, 'take'>;
  /** Counts transactions that were accepted. */
  countTransactions?(namespace: string, count: number): void;
  clock: Clock;
  log: Log;
}

export type Transactions = ReturnType<typeof createTransactions>;

/** Everything for sending transactions. */
export function createTransactions(options: TransactionsOptions) {
  const { kube, caches, touch, clock, log } = options;
  const lookup = createNetworkLookup(caches.networks, options.accessKeys);
  const nodes = createNodes({
    networks: lookup,
    upstreams: options.upstreams,
    wake: createWake({ kube, networks: lookup, log }),
    find: (uid) => caches.networks.byIndex(byUid, uid)[0],
    touch,
    settings: options.rpc,
    clock,
  });
  const signer = createSigner();
  const { submitFor, findAccount } = createSending(options, nodes, signer);
  const { nodeOf, presentNode } = nodes;
  const reading = createReading(options, presentNode);
  return {
    handlers: {
      submitTransactions: submitTransactions({
        kube,
        networks: options.kinds.networks.cache,
        findNetwork: options.kinds.networks.find,
        submitFor,
      }),
      listSubmissions: listSubmissions(reading),
      getSubmission: getSubmission(reading),
    } satisfies Handlers,
    submitFor,
    nodeOf,
    presentNode,
    findAccount,
    /** Stops the signer threads and closes connections. */
    step: {
      start: () => undefined,
      whenSynced: async () => undefined,
      stop: async () => void (await Promise.all([signer.close(), nodes.close()])),
    },
  };
}

/** How submissions are sent. */
function createSending(options: TransactionsOptions, { nodeOf, presentNode }: Nodes, signer: Signer) {
  const { kube, caches, sealer, storage, touch, clock, log } = options;
  const findAccount = createFindAccount({
    kube,
    sealer,
    secrets: caches.secrets,
    personalNamespaceOf: createPersonalNamespaceOf(options),
  });
  const queues = createSenderQueues({ kube: forCallers(kube), signer, clock, watched: caches.outboxes.get });
  const send = createSend({ queues, clock, log, budget: createOpenBudget(caches.outboxes) });
  const submitFor = createSubmitFor({
    send,
    queues,
    findAccount,
    nodeOf,
    presentNode,
    touch,
    storage,
    serverTimeMs: kube.serverTimeMs,
    ...compact({ countTransactions: options.countTransactions }),
  });
  return { submitFor, findAccount };
}

/** How submissions are read. */
function createReading(
  { kube, caches, kinds, reads, cursors }: TransactionsOptions,
  presentNode: ReadDeps['presentNode'],
): ReadDeps {
  const { outboxes } = caches;
  const catchUp = reads.catchUpIn(kube, outboxes);
  return { kube: forCallers(kube), outboxes, networks: kinds.networks.cache, presentNode, cursors, catchUp };
}

function createPersonalNamespaceOf({ users, defaultWorkspace }: TransactionsOptions) {
  return async (userId: string): Promise<string> => {
    const user = await users.find(userId);
    return namespaceOf(user ? personalWorkspaceOf(user) : personalWorkspaceIdOf(userId), defaultWorkspace);
  };
}
