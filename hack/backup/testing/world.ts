import { parseKeyring } from '../../../core/accounts/keyring.ts';
import { createSealer, parseMasterKeys } from '../../../core/accounts/seal.ts';
import { idOf, withNewId } from '../../../core/api/ids.ts';
import { annotations, apiVersion, labels } from '../../../core/api/names.ts';
import { ownerReferenceTo } from '../../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { keyEpochsName } from '../../../core/api/resources/records/keyEpochs.ts';
import { keyEpochsType, networkType, snapshotType } from '../../../core/api/resources/resources.ts';
import {
  aMembership,
  anApiKey,
  anInvitation,
  aTicket,
  aWorkspace,
  serviceNamespace,
} from '../../../core/api/testing/accountBuilders.ts';
import { aNetwork, aSnapshot } from '../../../core/api/testing/builders.ts';
import { createOrFind } from '../../../core/kube/createOrFind.ts';
import type { Kube, KubeObject, Stored } from '../../../core/kube/kube.ts';
import { configMapType, namespaceType } from '../../../core/kube/types.ts';
import { compact } from '../../../core/lib/compact.ts';
import { chainMembersOf } from '../../../core/networks/chainChange.ts';
import { partNamesOf } from '../../../core/networks/snapshotParts.ts';
import { keyRecordNameOf, newOutbox, queueNameOf } from '../../../core/outbox/outboxObjects.ts';
import { createKeyEpochs } from '../../../operator/ids/keyEpochs.ts';
import { endpointsOf } from '../../../operator/network/status/endpoints.ts';
import { anInstallation } from '../../../operator/network/testing/facts.ts';
import { journalNameOf } from '../../../operator/ports/journals.ts';
import { features } from '../../../test/features.ts';
import { type AnyObject, readAll, slipwayTypes, typeOf } from '../kinds.ts';

export const system = serviceNamespace;
export const home = 'slipway-default';
const lineOf = (byte: number) => `k1:${Buffer.alloc(32, byte).toString('base64')}\n`;
export const keys = { 'master-keys': lineOf(7), 'access-keys': lineOf(3) };
export const sealer = createSealer(parseMasterKeys(keys['master-keys']));

const at = '2026-01-01T00:00:00Z';
const accessKeys = { public: { epoch: 2, observedNonce: 2 }, admin: { epoch: 1, observedNonce: 1 } };
const address = `0x${'7e'.repeat(20)}`;

/** The status of a network whose chain is on a volume. */
export const running = {
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

/** A sender queue, the scope of a journal, and the names of what belongs to a network and a snapshot. */
function namesFor(network: Stored<NetworkResource>, snapshot: Stored<KubeObject>) {
  const { name, uid } = network.metadata;
  const id = idOf(network);
  const ref = { namespace: home, network: { name, uid, id }, incarnation: 'former', signer: address };
  const scope = `token/${id}/former`;
  const queue = queueNameOf(ref);
  const [part = ''] = partNamesOf({ id: idOf(snapshot), digest: 'd1', parts: 1 });
  const names = { queue, part, record: keyRecordNameOf(queue, 'once'), journal: journalNameOf(scope) };
  return { ref, scope, names };
}

/** Makes an object of each kind that others name or own. In version 0.3, none had a label with its id. */
export async function makeWorld(kube: Kube, hasIds = true): Promise<Stored<NetworkResource>> {
  const make = async <T extends KubeObject>(object: T, status?: object): Promise<Stored<T>> => {
    const stored = await kube.create(typeOf(object), object);
    return status ? kube.patch(typeOf(object), stored.metadata, { status }, 'status') : stored;
  };
  const own = <T extends KubeObject>(object: T) => (hasIds ? withNewId(object) : object);
  const network = await make(own(aNetwork({ name: 'net', namespace: home })), running);
  const snapshot = await make(own(aSnapshot({ name: 'snap', namespace: home })));
  const { ref, scope, names } = namesFor(network, snapshot);
  const childOf = (owner: Stored<KubeObject>, name: string) => ({
    name,
    namespace: home,
    ownerReferences: [ownerReferenceTo(owner)],
    labels: { [labels.snapshot]: idOf(owner) },
  });
  await make(newOutbox(ref, 'queue', {}));
  await make(newOutbox(ref, 'archive', { name: names.record, batches: '[]' }));
  await make({ apiVersion, kind: 'Journal', metadata: childOf(network, names.journal), spec: { scope } });
  const rotated = { networks: { [idOf(network)]: { ...accessKeys, at } } };
  const metadata = { name: keyEpochsName, namespace: home };
  if (hasIds) await make({ apiVersion, kind: 'KeyEpochs', metadata, spec: rotated });
  for (const { backup } of features) await backup?.make({ create: make, own, sealer, namespace: home });
  const part = { apiVersion: 'v1', kind: 'ConfigMap', metadata: childOf(snapshot, names.part) };
  await make({ ...part, binaryData: { 'part-000': 'eA==' }, immutable: true });
  const workspace = await make(aWorkspace());
  const marks = { annotations: { [annotations.workspaceUid]: workspace.metadata.uid } };
  await kube.patch(namespaceType, { name: home }, { metadata: marks });
  const membership = await make(aMembership());
  const { uid } = membership.metadata;
  await make(anApiKey({ metadata: { ownerReferences: [ownerReferenceTo(membership)] } }));
  await make(anInvitation(), { state: 'Accepted', membership: uid });
  const grant = { workspace: 'team', name: 'a machine', role: 'viewer', membership: uid } as const;
  await make(aTicket({ spec: { purpose: 'deviceAnswer', grant } }));
  return network;
}

/** What another tool restores: objects with labels and annotations, without status, owners and finalizers. */
export async function restorePlainly(from: Kube, to: Kube): Promise<void> {
  for (const { metadata, status: _, ...content } of await everything(from)) {
    const { name, namespace, labels: given, annotations: notes } = metadata;
    const kept = { name, ...compact({ namespace, labels: given, annotations: notes }) };
    const plain = { ...content, metadata: kept };
    await createOrFind(to, typeOf(plain), plain);
  }
}

/** The namespaces of workspaces, all objects of Slipway, and the parts of snapshots. */
export async function everything(kube: Kube): Promise<Stored<AnyObject>[]> {
  const namespaces = await readAll(kube, namespaceType, { labelSelector: labels.workspace });
  const custom = await Promise.all(slipwayTypes.map((type) => readAll(kube, type)));
  const parts = await readAll(kube, configMapType, { labelSelector: labels.snapshot });
  return [...namespaces, ...custom.flat(), ...parts];
}

const nameOf = ({ kind, metadata }: KubeObject) => `${kind}/${metadata.namespace}/${metadata.name}`;

/** What users and other objects know: the ids, the URLs, and what is found under the names that follow from ids. */
export async function factsOf(kube: Kube) {
  const network = await kube.get(networkType, { namespace: home, name: 'net' });
  const snapshot = await kube.get(snapshotType, { namespace: home, name: 'snap' });
  const rotated = await kube.get(keyEpochsType, { namespace: home, name: keyEpochsName });
  if (!network || !snapshot) throw new Error('a network or a snapshot is missing');
  const ofFeatures = await Promise.all(features.flatMap(({ backup }) => backup?.find(kube, home) ?? []));
  const caches = {
    keyEpochs: { get: () => rotated, observe: () => undefined },
    networks: { byIndex: () => [] },
  };
  const keptKeys = createKeyEpochs({ kube, caches }).keptFor(network);
  const keyring = parseKeyring(keys['access-keys'], 'access-keys');
  const facts = { network, installation: anInstallation(), accessKeys: keyring, keptKeys };
  const urls = (['public', 'admin'] as const).map((access) => endpointsOf(['rpc'], access, facts));
  const objects = await everything(kube);
  const names = [
    ...Object.values(namesFor(network, snapshot).names),
    ...ofFeatures.flatMap((one) => one.names),
  ];
  const found = names.map((name) => {
    const object = objects.find(({ metadata }) => metadata.name === name);
    if (!object) throw new Error(`nothing has the name ${name}`);
    return nameOf(object);
  });
  return { ids: [network, snapshot, ...ofFeatures.map(({ object }) => object)].map(idOf), urls, found };
}

/** Which objects each one names, by their uids and ids, wherever they are in it. */
export async function linksIn(kube: Kube): Promise<Record<string, string[]>> {
  const objects = await everything(kube);
  const known = new Map(
    objects.flatMap((one) => [one.metadata.uid, idOf(one)].map((id) => [id, nameOf(one)])),
  );
  const linksOf = ({ metadata: { ownerReferences, annotations: notes }, spec, status }: AnyObject) => {
    const text = JSON.stringify([ownerReferences, notes, spec, { ...status, origin: undefined }]);
    return (text.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []).map((id) => known.get(id) ?? id);
  };
  return Object.fromEntries(objects.map((one) => [nameOf(one), linksOf(one)]));
}
