import { fieldManagers } from '../../../core/api/names.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import { secretDataOf } from '../../../core/kube/objects.ts';
import { type CoreSecret, coreSecretType } from '../../../core/kube/types.ts';
import { createBoundedMap } from '../../../core/lib/boundedMap.ts';
import { hashOf } from '../../../core/lib/hash.ts';
import type { DesiredStatus } from '../lifecycle/context.ts';
import { type EndpointFacts, endpointsOf } from '../status/endpoints.ts';
import { metaOf } from './childNames.ts';

/** The Secrets with all URLs of networks. */
export interface AccessSecrets {
  /** Keeps that of a network up to date. */
  ensure(facts: EndpointFacts, status: DesiredStatus): Promise<void>;
  /** For a network that is gone. */
  forget(networkUid: string): void;
}

const maxRemembered = 10_000;

/**
 * The operator writes Secrets and never reads them, so it remembers what it has written: once per network and term of
 * leadership, and whenever a URL changes.
 */
export function createAccessSecrets({ kube }: { kube: Pick<Kube, 'apply'> }): AccessSecrets {
  const written = createBoundedMap<string, string>(maxRemembered);
  return {
    async ensure(facts, status) {
      const { uid, deletionTimestamp } = facts.network.metadata;
      if (!status.endpoints || deletionTimestamp) return;
      const secret = renderAccessSecret(facts, status);
      const hash = hashOf(secret.data);
      if (written.get(uid) === hash) return;
      await kube.apply(coreSecretType, secret, { fieldManager: fieldManagers.operator });
      written.set(uid, hash);
    },
    forget: written.delete,
  };
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
