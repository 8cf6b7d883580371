/** Lets everything that is ready to go on go on: promises, and I/O in memory. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
