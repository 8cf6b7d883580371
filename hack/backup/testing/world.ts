import { idOf, originOf, withNewId } from '../../../core/api/ids.ts';
import { annotations, apiVersion, labels } from '../../../core/api/names.ts';
import { ownerReferenceTo } from '../../../core/api/resources/kubeObject.ts';
import { keyEpochsName } from '../../../core/api/resources/records/keyEpochs.ts';
import { membershipType, networkType } from '../../../core/api/resources/resources.ts';
import { aWorkspace, serviceNamespace } from '../../../core/api/testing/accountBuilders.ts';
import { aNetwork, aSnapshot } from '../../../core/api/testing/builders.ts';
import { createOrFind } from '../../../core/kube/createOrFind.ts';
import type { Kube, KubeObject, Stored } from '../../../core/kube/kube.ts';
import { namespaceType } from '../../../core/kube/types.ts';
import { compact } from '../../../core/lib/compact.ts';
import { chainMembersOf } from '../../../core/networks/chainChange.ts';
import { sceneSealer } from '../../../core/outbox/testing/scene.ts';
import { features } from '../../../test/features.ts';
import { type AnyObject, readAll, typeOf } from '../objects.ts';

export const system = serviceNamespace;
export const home = 'slipway-default';

const at = '2026-01-01T00:00:00Z';
const accessKeys = { public: { epoch: 2, observedNonce: 2 }, admin: { epoch: 1, observedNonce: 1 } };

/** The status of a network whose chain is on a volume. */
export const ran = {
  state: 'Operational',
  enclaveID: 'former',
  storage: 'Volume',
  observedGeneration: 1,
  accessKeys,
  incarnation: {
    number: 0,
    revision: 0,
    members: chainMembersOf(aNetwork().spec),
    startedAt: at,
    volume: 'v',
  },
};

/** Makes what others name or own, beside what REST made: a network with rotated keys, a snapshot, objects of features, accounts. */
export async function makeWorld(kube: Kube): Promise<void> {
  const make = async <T extends KubeObject>(object: T): Promise<Stored<T>> =>
    kube.create(typeOf(object), object);
  const network = await make(withNewId(aNetwork({ name: 'net', namespace: home })));
  await kube.patch(networkType, network.metadata, { status: ran }, 'status');
  const spec = { networks: { [idOf(network)]: { ...accessKeys, at } } };
  await make({ apiVersion, kind: 'KeyEpochs', metadata: { name: keyEpochsName, namespace: home }, spec });
  const snapshot = await make(withNewId(aSnapshot({ name: 'snap', namespace: home })));
  const metadata = {
    name: 'part',
    namespace: home,
    ownerReferences: [ownerReferenceTo(snapshot)],
    labels: { [labels.snapshot]: idOf(snapshot) },
  };
  await make({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata,
    binaryData: { part: 'eA==' },
    immutable: true,
  });
  const { uid } = (await make(aWorkspace())).metadata;
  const marks = { annotations: { [annotations.workspaceUid]: uid } };
  await kube.patch(namespaceType, { name: home }, { metadata: marks });
  const [membership] = (await kube.list(membershipType, { namespace: system })).items;
  const membershipUid = membership?.metadata.uid ?? '';
  const scene = { create: make, sealer: sceneSealer, namespace: home, membership: membershipUid };
  for (const { backup } of features) await backup?.(scene);
}

/** What another tool restores: objects with labels and annotations, without status, owners and finalizers. */
export async function restorePlainly(from: Kube, to: Kube): Promise<void> {
  for (const { metadata, status: _, ...content } of await readAll(from, system)) {
    const { name, namespace, labels: given, annotations: notes } = metadata;
    const kept = { name, ...compact({ namespace, labels: given, annotations: notes }) };
    const plain = { ...content, metadata: kept };
    await createOrFind(to, typeOf(plain), plain);
  }
}

const nameOf = ({ kind, metadata }: KubeObject) => `${kind}/${metadata.namespace}/${metadata.name}`;

/** The id of each object that has one of its own, by its name. */
export async function idsIn(kube: Kube): Promise<Record<string, string | undefined>> {
  return Object.fromEntries(
    (await readAll(kube, system)).map((one) => [nameOf(one), one.metadata.labels?.[labels.id]]),
  );
}

/** What names and keys follow from, of pods and volumes of networks and of deployments of tokens. */
export async function originsIn(kube: Kube): Promise<Record<string, string>> {
  const objects = (await readAll(kube, system)).filter(({ kind }) => ['Network', 'Token'].includes(kind));
  return Object.fromEntries(objects.map((one) => [nameOf(one), originOf(one)]));
}

/** Which objects each one names, by their uids and ids, wherever they are in it. */
export async function linksIn(kube: Kube): Promise<Record<string, string[]>> {
  const objects = await readAll(kube, system);
  const known = new Map(
    objects.flatMap((one) => [one.metadata.uid, idOf(one)].map((id) => [id, nameOf(one)])),
  );
  const linksOf = ({ metadata: { ownerReferences, annotations: notes }, spec, status }: AnyObject) => {
    const text = JSON.stringify([ownerReferences, notes, spec, { ...status, origin: undefined }]);
    return (text.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []).map((id) => known.get(id) ?? id);
  };
  return Object.fromEntries(objects.map((one) => [nameOf(one), linksOf(one)]));
}
