import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findDebianPackage } from './debianPackage.ts';

/** A real container registry on a free port of the loopback address. */
export interface TestRegistry {
  /** `127.0.0.1:<port>` */
  host: string;
  stop(): Promise<void>;
}

/** Who may push to a registry that asks for a login. */
export const registryUser = { user: 'ada', password: 'pushes' };
/** Of that password; the registry takes bcrypt only. */
const bcrypt = '$2a$04$abcdefghijklmnopqrstuuMQWytcd65/L3B1LXcm/wssfeKq6gIR6';

/** Debian's registry, with its data in a temporary folder. Throws where apt does not have it. */
export async function startRegistry({ needsLogin = false } = {}): Promise<TestRegistry> {
  const { root, problem } = await findDebianPackage('docker-registry');
  if (root === undefined) throw new Error(problem);
  const folder = mkdtempSync(join(tmpdir(), 'slipway-registry-'));
  writeFileSync(join(folder, 'htpasswd'), `${registryUser.user}:${bcrypt}\n`);
  const config = {
    version: '0.1',
    storage: { filesystem: { rootdirectory: join(folder, 'data') } },
    http: { addr: '127.0.0.1:0', secret: 'test' },
    ...(needsLogin ? { auth: { htpasswd: { realm: 'test', path: join(folder, 'htpasswd') } } } : {}),
  };
  writeFileSync(join(folder, 'config.yml'), JSON.stringify(config));
  const child = spawn(join(root, 'usr', 'bin', 'docker-registry'), ['serve', join(folder, 'config.yml')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const closed = once(child, 'close');
  const stop = async () => {
    child.kill();
    await closed;
    rmSync(folder, { recursive: true, force: true });
  };
  for await (const line of createInterface({ input: child.stderr })) {
    const host = /listening on (127\.0\.0\.1:\d+)/.exec(line)?.[1];
    if (!host) continue;
    child.stderr.resume();
    return { host, stop };
  }
  throw new Error('the registry did not start');
}
