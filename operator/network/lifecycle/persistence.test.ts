import type { KubeObject } from '../../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { asStored } from '../../../core/api/testing/stored.ts';
import { isImmutable } from '../../../core/kube/apply/childTypes.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import type { PersistentVolumeClaim, Pod } from '../../../core/kube/types.ts';
import { compact } from '../../../core/lib/compact.ts';
import { decide } from '../decide/decide.ts';
import { engineIncarnationOf } from '../render/childNames.ts';
import { aNetwork, factsOf, nowMs } from '../testing/facts.ts';
import { at, hourMs, running, withStatus } from '../testing/running.ts';

it('a network that becomes persistent while its data is in the pod says what that means', () => {
  const { facts } = running(1, { persistent: true });
  const [pod] = facts.pods;
  if (!pod) throw new Error('no pod');
  const within = (volume: object) => ({
    ...facts,
    pods: [{ ...pod, spec: { ...pod.spec, volumes: [{ name: 'data', ...volume }] } }],
  });
  expect(decide(within({ emptyDir: {} })).status.message).toMatch(/not on a volume yet.*ResetState/);
  const onVolume = decide(within({ persistentVolumeClaim: { claimName: 'x' } }));
  expect(onVolume.status.message).not.toMatch(/volume/);
});

describe('a network that stops being persistent', () => {
  const { network, facts } = running(48, { persistent: true });
  const incarnation = engineIncarnationOf(network);
  const volumeClaims = decide(facts)
    .children?.filter(({ kind }) => kind === 'PersistentVolumeClaim')
    .map((claim) => asStored(claim as PersistentVolumeClaim));
  const dropped = {
    ...facts,
    ...compact({ volumeClaims }),
    network: { ...network, spec: { ...network.spec, persistent: false } },
  };
  const volumesOf = ({ children = [] }: { children?: KubeObject[] | undefined }) =>
    children.filter(({ kind }) => kind === 'PersistentVolumeClaim').map(({ metadata }) => metadata.name);

  it('keeps running on its volume, and stops as if it had been woken then', () => {
    const first = decide(dropped);
    expect(first.status).toMatchObject({ state: 'Operational', persistentUntil: at(nowMs) });
    expect(volumesOf(first)).toEqual([`net-rpc-data-${incarnation}`]);
    const later = (hours: number) =>
      decide(withStatus(dropped, first.status, { nowMs: nowMs + hours * hourMs }));
    expect([later(23).status.state, later(24).status.state]).toEqual(['Operational', 'Stopping']);
    expect(volumesOf(later(23))).toEqual(volumesOf(first));
    expect(later(24)).toMatchObject({ children: [], status: { persistentUntil: undefined } });
  });

  it('has the same volume and pod when it becomes persistent again', () => {
    const between = decide(dropped);
    const again = decide(withStatus({ ...facts, ...compact({ volumeClaims }) }, between.status));
    expect(again.status.persistentUntil).toBeUndefined();
    expect(again.children?.map(({ metadata }) => metadata.name)).toEqual(
      between.children?.map(({ metadata }) => metadata.name),
    );
  });

  it('mounts the volume in a pod that replaces a lost one', () => {
    const { children = [] } = decide(withStatus(dropped, decide(dropped).status, { pods: [] }));
    const pod = children.find(({ kind }) => kind === 'Pod') as Pod;
    expect(pod.spec.volumes).toContainEqual(
      expect.objectContaining({ persistentVolumeClaim: { claimName: `net-rpc-data-${incarnation}` } }),
    );
  });
});

describe('persistence', () => {
  const find = (network: Stored<NetworkResource>, kind: string) =>
    decide(factsOf(network)).children?.find((child) => child.kind === kind);
  const dataVolumeOf = (network: Stored<NetworkResource>) =>
    (find(network, 'Pod') as Pod).spec.volumes?.find(({ name }) => name === 'data');

  it('keeps the data of a persistent network on a volume of its incarnation', () => {
    const network = aNetwork();
    network.spec.persistent = true;
    const claim = find(network, 'PersistentVolumeClaim');
    expect(claim?.metadata.name).toContain(engineIncarnationOf(network));
    expect(dataVolumeOf(network)).toEqual({
      name: 'data',
      persistentVolumeClaim: { claimName: claim?.metadata.name },
    });
  });

  it('does not change a running pod when its network becomes persistent', () => {
    const network = aNetwork();
    const before = find(network, 'Pod');
    network.spec.persistent = true;
    const after = find(network, 'Pod') as KubeObject;
    // The same name and an immutable object, so the pod is not changed.
    expect(after.metadata.name).toBe(before?.metadata.name);
    expect(isImmutable(after)).toBe(true);
  });

  it('keeps the data of other networks in the pod', () => {
    expect(find(aNetwork(), 'PersistentVolumeClaim')).toBeUndefined();
    expect(dataVolumeOf(aNetwork())).toEqual({ name: 'data', emptyDir: {} });
  });
});
