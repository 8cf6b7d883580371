import { type NetworkApi, startNetworkApi } from '../../../apiserver/testing/networkApi.ts';
import { createTestCli, type TestCli } from '../../../cli/testing/run.ts';

/** The command line of a user, and the real API server in this process over a fake Kube, for each test of a suite. */
export function useCli(): {
  readonly api: NetworkApi;
  cli(...args: Parameters<TestCli>): ReturnType<TestCli>;
} {
  let api: NetworkApi;
  let cli: TestCli;
  beforeEach(async () => {
    api = await startNetworkApi();
    cli = await createTestCli({ SLIPWAY_URL: api.url, SLIPWAY_API_KEY: 'ann.secret-of-ann' });
  });
  afterEach(async () => {
    await cli.close();
    await api.close();
  });
  return {
    get api() {
      return api;
    },
    cli: (...args) => cli(...args),
  };
}
