import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { accountHeader } from '../core/order.ts';
import { createCompile } from './compile.ts';

const submission = {
  compiler: '0.8.28',
  path: 'A.sol',
  name: 'A',
  input: { language: 'Solidity', sources: {}, settings: {} },
} as const;
const bytecode = { object: '60' };
const output = { contracts: { 'A.sol': { A: { abi: [], evm: { bytecode, deployedBytecode: bytecode } } } } };

it('workspaces whose compilations wait keep nobody from the compilers, which give all of them turns', async () => {
  const waiting: ServerResponse[] = [];
  const allWait = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    if (request.headers[accountHeader] === 'modest') return response.end(JSON.stringify(output));
    if (waiting.push(response) === 64) allWait.resolve();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const compiler = createCompile(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const busy = Array.from({ length: 64 }, (_, index) => compiler.compile(`busy-${index % 8}`, submission));
  await allWait.promise;
  expect(await compiler.compile('modest', submission)).toMatchObject({ abi: [] });
  for (const response of waiting) response.end(JSON.stringify(output));
  await Promise.all(busy);
  await compiler.close();
  server.close();
});

it('what a compiler says about sources is cut before anything searches it', async () => {
  const formattedMessage = `ParserError: Source "://${'a.'.repeat(200_000)}" not found`;
  const answer = JSON.stringify({ errors: [{ severity: 'error', formattedMessage }] });
  const server = createServer((_request, response) => response.end(answer));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const compiler = createCompile(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const failure = await compiler.compile('one', submission).catch((error: Error) => error);
  expect(failure).toMatchObject({ reason: 'BadRequest' });
  expect(String(failure)).toMatch(
    /^AppError: the sources do not compile: ParserError: Source ":\/\/a\.[a.]+…$/,
  );
  await compiler.close();
  server.close();
});

it('an answer of the compilers that is longer than theirs are is not read', async () => {
  const server = createServer((_request, response) => response.end('x'.repeat(5 * 1024 * 1024)));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const compiler = createCompile(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await expect(compiler.compile('one', submission)).rejects.toMatchObject({ reason: 'Unavailable' });
  await compiler.close();
  server.close();
});
