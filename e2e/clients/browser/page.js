import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

/** The SDK in a page of the installation, as a console would use it. */

const { CHROMIUM, SLIPWAY_URL, SLIPWAY_API_KEY, SDK_SCRIPT } = process.env;

const browser = await chromium.launch({
  executablePath: CHROMIUM,
  // A container has no user namespaces for the sandbox; the page is ours.
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
try {
  // The policy of the page is for its own scripts, not for ours.
  const page = await browser.newPage({ bypassCSP: true, ignoreHTTPSErrors: true });
  await page.goto(`${SLIPWAY_URL}/docs`);
  await page.addScriptTag({ content: readFileSync(SDK_SCRIPT, 'utf8') });
  const seen = await page.evaluate(
    async ({ apiKey }) => {
      const { createClient, SlipwayError } = globalThis.slipway;
      const client = createClient({ url: location.origin, apiKey });
      const { user } = await client.account.get();
      const names = [];
      for await (const { name } of client.networks.listAll({ limit: 1 })) names.push(name);
      const error = await client.networks.get('unknown').catch((thrown) => thrown);
      const controller = new AbortController();
      const types = [];
      for await (const { type } of client.events.stream({ signal: controller.signal })) {
        types.push(type);
        if (type === 'stream.ready') break;
      }
      return { user: user.id, names, types, isTyped: error instanceof SlipwayError, reason: error.reason };
    },
    { apiKey: SLIPWAY_API_KEY },
  );
  assert.ok(seen.user);
  assert.ok(Array.isArray(seen.names));
  assert.equal(seen.types.at(-1), 'stream.ready');
  assert.deepEqual([seen.isTyped, seen.reason], [true, 'NotFound']);
} finally {
  await browser.close();
}
