import { spawn } from 'node:child_process';
import { freePort } from '../../lib/testing/freePort.ts';

export interface PlainAnvil {
  host: string;
  port: number;
  url: string;
  close(): Promise<void>;
}

/** An anvil on a local port with these arguments, without the engine's entry point and without a chain's contracts. */
export async function startPlainAnvil(args: readonly string[]): Promise<PlainAnvil> {
  const [host, port] = ['127.0.0.1', await freePort()];
  const child = spawn('node_modules/.bin/anvil', ['--port', String(port), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`anvil ended with ${code}`)));
    child.stdout.on('data', (text: Buffer) => text.includes('Listening on') && resolve());
  });
  const close = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { host, port, url: `http://${host}:${port}`, close };
}
