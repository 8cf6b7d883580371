import './globalSetup.ts';

/** jest's global tear-down of the integration tests: nothing that the set-up started stays. */
export default async function globalTeardown(): Promise<void> {
  await globalThis.slipwayTestEnvironment?.stop();
}
