import { writeFileSync } from 'node:fs';
import { Pool } from 'undici';

/** `node flood.ts <url> <token> <requests per second> <file>`: lists networks at that rate until SIGTERM, then writes the counts. */
const [url = '', token = '', rate = '', file = ''] = process.argv.slice(2);
const tickMs = 10;
const connections = 32;
const perTick = (Number(rate) * tickMs) / 1000;

const pool = new Pool(url, { connections });
const headers = { authorization: `Bearer ${token}` };
const seen = { answered: 0, refused: 0 };
const startMs = performance.now();
let sent = 0;

async function send(): Promise<void> {
  const { statusCode, body } = await pool.request({ method: 'GET', path: '/v1alpha/networks', headers });
  await body.dump();
  if (statusCode === 429) seen.refused += 1;
  else seen.answered += 1;
}

// Based on the elapsed time, so that a late tick catches up on what it missed.
const timer = setInterval(() => {
  const due = ((performance.now() - startMs) / tickMs) * perTick;
  for (; sent < due; sent += 1) send().catch(() => undefined);
}, tickMs);

process.once('SIGTERM', () => {
  clearInterval(timer);
  writeFileSync(file, JSON.stringify(seen));
  process.exit(0);
});
