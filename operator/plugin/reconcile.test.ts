import { labels } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import type { EventContent } from '../../core/kube/events/recorder.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { createFakeKube } from '../../core/kube/testing/fake/fake.ts';
import type { Pod } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { tokenContractsForTests } from '../../hack/contracts/forTests.ts';
import { aNetwork } from '../network/testing/facts.ts';
import { createPluginBoard } from './board.ts';
import { deploymentOf } from './readiness.ts';
import { createPluginReconcile } from './reconcile.ts';

const config = { type: 'mpc' as const };
const never = () => {
  throw new Error('not in this test');
};

/** A network that runs with its plugin, under an operator that has just begun. */
function setUp(state: 'Ready' | 'Error', message: string, ending: Stored<Pod>[] = []) {
  const kube = createFakeKube();
  const network = aNetwork({ plugins: { vrf: config } });
  const chosen = { name: 'vrf', config, path: 'spec.chain.ethereum.plugins.vrf' } as const;
  const deployment = deploymentOf({ network, name: 'vrf', chosen }, undefined, 1);
  const plugins = { vrf: { state, message, deployment } };
  const status = { state: 'Operational' as const, enclaveID: 'e-1', plugins };
  let cached: Stored<NetworkResource> = kube.seed(networkType, { ...network, status });
  const events: EventContent[] = [];
  const board = createPluginBoard();
  const reconcile = createPluginReconcile({
    kube,
    board,
    clock: systemClock,
    log: silentLog,
    contracts: tokenContractsForTests(),
    caches: {
      networks: {
        byIndex: () => [cached],
        list: () => [cached],
        onChange: () => () => undefined,
        observe(written) {
          cached = written;
        },
      },
      pods: { byIndex: () => ending, list: () => [], onChange: () => () => undefined },
    },
    journals: { progressIn: never, positionsIn: never, forget: async () => undefined },
    events: { record: (_object, event) => void events.push(event) },
    chainOf: never,
    signers: { serviceOf: never },
    callService: never,
  });
  return {
    board,
    events,
    reconcile: () => reconcile('u-1/vrf', new AbortController().signal),
    entry: () => cached.status?.plugins?.vrf,
    removeFromSpec: () => {
      cached = { ...cached, spec: aNetwork({}).spec };
    },
  };
}

it.each([
  ['Ready', 'ready'],
  ['Error', 'vrf-node: image vrf:1 cannot be pulled'],
] as const)(
  'a plugin that is %s stays so until a new leader has planned its network',
  async (state, message) => {
    const { board, events, reconcile, entry } = setUp(state, message);
    const before = entry();
    await reconcile();
    expect(entry()).toEqual(before);
    const refused = { vrf: 'it needs another engine' };
    board.post('u-1', { run: [], refused, waiting: {}, incarnation: 'i-1' });
    await reconcile();
    expect(entry()).toMatchObject({ state: 'Error', message: 'it needs another engine' });
    expect(events).toHaveLength(1);
  },
);

it('a plugin that left the spec is not called ready while its pods end', async () => {
  const { metadata } = aNetwork({});
  const labelled = { ...metadata, labels: { [labels.plugin]: 'vrf' } };
  const pod: Stored<Pod> = { apiVersion: 'v1', kind: 'Pod', metadata: labelled, spec: { containers: [] } };
  const { entry, reconcile, removeFromSpec } = setUp('Ready', 'ready', [pod]);
  removeFromSpec();
  await reconcile();
  expect(entry()).toMatchObject({ state: 'Pending', message: 'being removed' });
});
