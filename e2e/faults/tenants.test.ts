import { endSiege, prepareSiege, type Siege, withstand } from '../attacks/load/siege.ts';

/** What one member and one public URL can do to everybody else, for minutes. */

let siege: Siege;
beforeAll(async () => {
  siege = await prepareSiege();
});
afterAll(() => endSiege(siege));

const force = { connections: 2_000, requestsPerSecond: 5_000, seconds: 20 };

it.each([1, 2, 3, 4, 5, 6])(
  'a developer and a public URL with 2,000 connections and 5,000 calls a second each slow down nobody else (%i)',
  () => withstand(siege, force),
);
