import { fieldManagers } from '../../../core/api/names.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import { secretDataOf } from '../../../core/kube/objects.ts';
import { type CoreSecret, coreSecretType } from '../../../core/kube/types.ts';
import { createBoundedMap } from '../../../core/lib/boundedMap.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { hashOf, stableJson } from '../../../core/lib/hash.ts';
import type { DesiredStatus } from '../lifecycle/context.ts';
import { type EndpointFacts, endpointsOf } from '../status/endpoints.ts';
import { metaOf } from './childNames.ts';

/** The Secrets with all URLs of networks. */
export interface AccessSecrets {
  /** To be called before the status is written; what it returns keeps the Secret of a network up to date. */
  writerOf(facts: EndpointFacts, status: DesiredStatus): () => Promise<void>;
  /** When a network has its turn, unless that is later than `otherwiseMs`. */
  nextMs(networkUid: string, otherwiseMs: number | undefined): number | undefined;
  /** For a network that is gone. */
  forget(networkUid: string): void;
}

interface AccessSecretsDeps {
  kube: Pick<Kube, 'apply'>;
  clock: Clock;
}

const maxRemembered = 20_000;
/** Ten writes a second take 2 % of one core of kube-apiserver. */
const turnMs = 100;
/** In place of the hash of what was written. */
const nothing = '';

/**
 * The operator writes Secrets and never reads them, so it remembers what it has written: once per network and term of
 * leadership, and whenever a URL changes. What the operator before it must have written is only written again for the case
 * that somebody changed it since: one after the other, so that thousands are not a burden when a term begins.
 */
export function createAccessSecrets({ kube, clock }: AccessSecretsDeps): AccessSecrets {
  const written = createBoundedMap<string, string>(maxRemembered);
  const turns = createBoundedMap<string, number>(maxRemembered);
  let lastTurnMs = 0;

  function isItsTurn(uid: string): boolean {
    const known = turns.get(uid);
    if (known === undefined) lastTurnMs = Math.max(lastTurnMs + turnMs, clock.nowMs());
    const atMs = known ?? lastTurnMs;
    turns.set(uid, atMs);
    return atMs <= clock.nowMs();
  }

  async function ensure(facts: EndpointFacts, status: DesiredStatus): Promise<void> {
    const { uid, deletionTimestamp } = facts.network.metadata;
    if (!status.endpoints || deletionTimestamp) return;
    const secret = renderAccessSecret(facts, status);
    const hash = hashOf(secret.data);
    const known = written.get(uid);
    if (known === hash || (known === undefined && !isItsTurn(uid))) return;
    await kube.apply(coreSecretType, secret, { fieldManager: fieldManagers.operator });
    written.set(uid, hash);
    turns.delete(uid);
  }

  return {
    writerOf(facts, status) {
      const { uid } = facts.network.metadata;
      if (!written.has(uid) && !isAsBefore(facts, status)) written.set(uid, nothing);
      return () => ensure(facts, status);
    },
    nextMs(uid, otherwiseMs) {
      const atMs = turns.get(uid);
      if (atMs === undefined) return otherwiseMs;
      const waitMs = Math.max(0, atMs - clock.nowMs());
      return Math.min(otherwiseMs ?? waitMs, waitMs);
    },
    forget(uid) {
      written.delete(uid);
      turns.delete(uid);
    },
  };
}

/** Whether the stored status has the same URLs: then the Secret was written with them. */
function isAsBefore({ network }: EndpointFacts, status: DesiredStatus): boolean {
  const urlsOf = ({ endpoints, adminServices, accessKeys }: DesiredStatus) =>
    stableJson([endpoints, adminServices, accessKeys]);
  return network.status !== undefined && urlsOf(network.status) === urlsOf(status);
}

/** `<network>-access`: service names and URLs, those with the admin key included. */
function renderAccessSecret(
  facts: EndpointFacts,
  { endpoints = {}, adminServices = [] }: DesiredStatus,
): CoreSecret {
  const { network } = facts;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...metaOf({ network }, 'access'), name: `${network.metadata.name}-access` },
    type: 'Opaque',
    data: secretDataOf({
      ...endpointsOf(Object.keys(endpoints), 'public', facts),
      ...endpointsOf(adminServices, 'admin', facts),
    }),
  };
}
