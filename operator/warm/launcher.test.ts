import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { createLauncher } from './launcher.ts';
import type { LaunchPlan } from './shape.ts';

it('leaves a pod whose answer to a plan does not end', async () => {
  const ended = Promise.withResolvers<number>();
  const server = createServer((request, response) => {
    let sent = 0;
    const part = Buffer.alloc(64 * 1024, ' ');
    const send = () => {
      // More would be read for ever: 64 MiB are enough to tell.
      while (sent < 64 * 1024 * 1024) {
        sent += part.length;
        if (!response.write(part)) return void response.once('drain', send);
      }
      response.end();
    };
    request.resume().once('end', send);
    response.once('close', () => ended.resolve(sent));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const plan = { files: [] } as unknown as LaunchPlan;
  const launcher = createLauncher({ clock: createManualClock() });
  const address = { url: `http://127.0.0.1:${port}`, secret: 's' };
  expect(await launcher.handOver(address, plan)).toBe('open');
  expect(await ended.promise).toBeLessThan(64 * 1024 * 1024);
  server.close();
});
