import { endSiege, prepareSiege, type Siege, withstand } from './siege.ts';

/** What one member and one public URL can do to everybody else, in seconds; e2e/faults/tenants.test.ts does it for minutes. */

let siege: Siege;
beforeAll(async () => {
  siege = await prepareSiege();
});
afterAll(() => endSiege(siege));

it('a developer and a public URL with 2,000 connections and 5,000 calls a second each slow down nobody else', () =>
  withstand(siege, { connections: 2_000, requestsPerSecond: 5_000, seconds: 5 }));
