import './globalSetup.ts';

/** jest's global teardown for the integration tests: stops everything that the setup started. */
export default async function globalTeardown(): Promise<void> {
  await globalThis.slipwayTestEnvironment?.stop();
}
