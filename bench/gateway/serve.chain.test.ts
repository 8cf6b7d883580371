import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { callRpc } from '../../core/chains/evm/testing/startAnvil.ts';
import { type PlainAnvil, startPlainAnvil } from '../../core/evm/testing/plainAnvil.ts';

let anvil: PlainAnvil;
beforeAll(async () => {
  anvil = await startPlainAnvil(['--accounts', '0', '--chain-id', '4711']);
});
afterAll(() => anvil?.close());

it('the gateway that is measured opens its node with the URL that it prints', async () => {
  const script = `${import.meta.dirname}/serve.ts`;
  const child = spawn(process.execPath, [script, String(anvil.port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    for await (const url of createInterface({ input: child.stdout })) {
      expect(await callRpc(url, 'eth_chainId')).toBe('0x1267');
      break;
    }
  } finally {
    child.kill();
  }
  expect.assertions(1);
});
