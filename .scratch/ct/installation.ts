import { createServeConsole } from '../../apiserver/console/console.ts';
import { readConsole } from '../../apiserver/console/files.ts';
import { accountsApiOver } from '../../apiserver/testing/accountsApi.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { createFakeKube } from '../../core/kube/testing/fake/fake.ts';
import { createFakeOperator } from './operator.ts';

export const namespace = 'slipway-default';
const stepMs = 120;

interface Installation {
  /** The built console. */
  folder: string;
  log?: (lines: number) => string[];
}

/** The real API server with the built console, over a fake cluster whose operator takes a step from time to time. */
export async function startInstallation({ folder }: Installation) {
  const files = readConsole(folder);
  if (!files) throw new Error(`${folder} has no console: build it with "npm run build"`);
  const kube = createFakeKube();
  const { api, ask, join, post } = await accountsApiOver(kube, {
    serveConsole: createServeConsole(files),
    publicUrl: 'http://localhost',
    quota: { apiKeys: 10_000 },
    openPodLog: async () =>
      (async function* () {
        for (let line = 1; line <= 40; line += 1) {
          yield Buffer.from(`\u001b[32mINFO\u001b[0m imported block ${line} hash=0x${'ab'.repeat(16)}\n`);
        }
        // It goes on for as long as somebody reads.
        await new Promise((resolve) => setTimeout(resolve, 600_000).unref());
      })(),
  });
  const operator = createFakeOperator(kube);
  let isRunning = true;
  const work = (async () => {
    while (isRunning) {
      await operator.step();
      await new Promise((resolve) => setTimeout(resolve, stepMs));
    }
  })();
  return {
    ...{ kube, operator, ask, join, post },
    url: api.url.replace('127.0.0.1', 'localhost'),
    /** A network in the default workspace, in whatever state. */
    async add(name: string, status: object, spec: object = {}) {
      const metadata = { labels: { 'slipway.dev/workspace': 'default' } };
      const created = await kube.create(networkType, aNetwork({ name, namespace, metadata, spec }));
      return kube.patch(networkType, created.metadata, { status }, 'status');
    },
    async close() {
      isRunning = false;
      await work;
      await api.close();
    },
  };
}
