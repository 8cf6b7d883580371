import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { TokenResource } from '../../core/api/resources/tokenResource.ts';
import { aNetwork, aToken } from '../../core/api/testing/builders.ts';
import { asStored } from '../../core/api/testing/stored.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { AppError } from '../../core/lib/errors.ts';
import { silentLog } from '../../core/lib/log.ts';
import type { TokenDeps } from './deps.ts';
import { createTokenRuns } from './tokenRuns.ts';

/** A token on one running network, whose runs end with `error`. */
function createScene(error: AppError) {
  const network: Stored<NetworkResource> = asStored({
    ...aNetwork({ name: 'net', status: { state: 'Operational', enclaveID: 'one' } }),
  });
  const token: Stored<TokenResource> = asStored(
    aToken({
      namespace: network.metadata.namespace,
      spec: { deployments: [{ network: 'net', args: {} }] },
      status: {
        deployments: [
          {
            network: 'net',
            networkID: network.metadata.uid,
            state: 'Deploying',
            attempt: 'a',
            enclaveID: 'one',
            incarnation: 'one',
            observedNonce: 0,
          },
        ],
      },
    }),
  );
  const scene = { network, token };
  const deps = {
    caches: {
      tokens: { byIndex: () => [scene.token] },
      networks: { get: () => scene.network, byIndex: () => [scene.network] },
    },
    signers: {
      ownerOf() {
        throw error;
      },
    },
    clock: systemClock,
    log: silentLog,
  } as unknown as TokenDeps;
  const runs = createTokenRuns(
    deps,
    async () => undefined,
    () => false,
  );
  const run = () => runs.reconcile(token.metadata.uid, new AbortController().signal);
  return Object.assign(scene, { runs, run, isNeeded: () => runs.isNeeded(scene.token) });
}

it.each([
  ['failed', new AppError('BadRequest', 'no key')],
  ['could not reach a network', new AppError('Unavailable', 'is away')],
])(
  'a token whose run %s waits for its back-off, whatever its networks report meanwhile',
  async (_reason, error) => {
    const scene = createScene(error);
    expect(scene.isNeeded()).toBe(true);
    await scene.run().catch(() => undefined);
    scene.network = asStored({
      ...scene.network,
      status: { ...scene.network.status, lastActivityAt: '2026-01-01T00:00:00Z', message: 'running' },
    });
    expect(scene.isNeeded()).toBe(false);
  },
);

it.each<[string, (scene: ReturnType<typeof createScene>) => void]>([
  [
    'it is requested again',
    ({ token }) => {
      for (const one of token.status?.deployments ?? []) one.observedNonce = 2;
    },
  ],
  [
    'its network starts another chain',
    ({ network }) => {
      network.status = { ...network.status, enclaveID: 'two' };
    },
  ],
  [
    'its network comes back',
    ({ network }) => {
      network.status = { ...network.status, state: 'Error' };
    },
  ],
  [
    'it gets another owner',
    ({ token }) => {
      token.metadata.labels = { 'slipway.dev/owner': 'ann' };
    },
  ],
])('a token whose run failed runs at once when %s', async (_reason, change) => {
  const scene = createScene(new AppError('BadRequest', 'no key'));
  await scene.run();
  change(scene);
  expect(scene.isNeeded()).toBe(true);
});

it('pauses after failures double, up to ten minutes', async () => {
  const scene = createScene(new AppError('BadRequest', 'no key'));
  const pauses = [];
  for (let runs = 0; runs < 7; runs += 1) pauses.push((await scene.run()).requeueAfterMs);
  expect(pauses).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000]);
});
