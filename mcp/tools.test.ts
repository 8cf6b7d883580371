import { z } from 'zod';
import { tools } from './server.ts';

/** The paths of texts of any length in a JSON schema. */
function unbounded(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, maxLength, enum: choices } = schema as Record<string, unknown>;
  const own = type === 'string' && maxLength === undefined && choices === undefined ? [path] : [];
  return [...own, ...Object.entries(schema).flatMap(([key, value]) => unbounded(value, `${path}.${key}`))];
}

it('no tool takes a text of any length, on which its work would depend', () => {
  expect(tools.flatMap(({ name, input }) => unbounded(z.toJSONSchema(input, { io: 'input' }), name))).toEqual(
    [],
  );
});

const network = {
  id: 'n-1',
  name: 'net',
  spec: { chain: { type: 'Base' } },
  status: { state: 'Operational' },
};

/** What a tool answers with a client of the SDK that has these methods of networks. */
function answerOf(name: string, networks: object, chain?: object): Promise<unknown> {
  const listAll = async function* () {
    yield network;
  };
  const client = { networks: { listAll, ...networks }, chain };
  const signal = new AbortController().signal;
  const context = { client, signal, addressNamed: async () => undefined } as never;
  return tools.find((one) => one.name === name)?.run(context, { network: 'net' }) ?? Promise.reject();
}

it('logs are a text of lines, without the picture that anvil begins with', async () => {
  const log =
    "\n    _   _\n   (_) | |\n  / _` | | '_ \\  \\ \\ / /\n\n  1.5.1\n\nListening on 0.0.0.0:8545\neth_call\n";
  const getLogs = async () => log;
  expect(await answerOf('get_network_logs', { getLogs })).toBe(
    '  1.5.1\nListening on 0.0.0.0:8545\neth_call',
  );
  expect(tools.filter(({ isText }) => isText).map(({ name }) => name)).toEqual(['get_network_logs']);
});

it('accounts have their balances', async () => {
  const account = { address: `0x${'11'.repeat(20)}`, source: 'caller' };
  const listAccounts = async () => ({ items: [account] });
  const ask = async () => [{ result: '0x64' }];
  expect(await answerOf('list_accounts', { listAccounts }, { ask })).toEqual([
    { ...account, balance: '100' },
  ]);
});
