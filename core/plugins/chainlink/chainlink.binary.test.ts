import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Contract, ContractFactory, parseEther, zeroPadBytes } from 'ethers';
import { systemContractsForTests, tokenContractsForTests } from '../../../hack/contracts/forTests.ts';
import { evmDrivers } from '../../chains/evm/drivers.ts';
import { startTestChain, type TestChain } from '../../chains/evm/testing/testChain.ts';
import { planContext } from '../../chains/testing/planContext.ts';
import type { Known } from '../../deploy/step.ts';
import type { PluginInput, PluginReport, PluginStep, PluginStepsInput } from '../plugin.ts';
import { createStage, performSteps, type Stage } from '../testing/performSteps.ts';
import { email, passwordOf } from './config.ts';
import { echoUint256, ethUsdJob, getUint256, linkEthJob, specIdOf } from './jobs.ts';
import { chainlink } from './plugin.ts';
import { compileConsumer } from './testing/consumer.ts';
import { chainlinkSkipReason, type RunningNode, startNode } from './testing/startNode.ts';

const network = { id: '7b1c7f0e-0000-4000-8000-000000000001', incarnation: '0123456789abcdef' };
const describeReal = chainlinkSkipReason === undefined ? describe : describe.skip;

describeReal(`a network with the plugin${chainlinkSkipReason ? ` (${chainlinkSkipReason})` : ''}`, () => {
  const contracts = tokenContractsForTests();
  let chain: TestChain;
  let node: RunningNode;
  let stage: Stage;
  let input: PluginStepsInput<'chainlink'>;
  let steps: PluginStep[];
  let known: Known;
  let report: PluginReport;
  let consumer: Contract;

  beforeAll(async () => {
    const driver = evmDrivers.Ethereum;
    chain = await startTestChain({ type: 'Ethereum', driver, systemContracts: systemContractsForTests() });
    const planInput: PluginInput<'chainlink'> = {
      config: {},
      chain: {
        type: 'Ethereum',
        chainId: chain.chainId,
        rpcUrl: chain.url,
        wsUrl: chain.url.replace('http', 'ws'),
      },
      others: [],
      ...planContext,
    };
    node = await startNode(planInput);
    stage = createStage(chain);
    input = { ...planInput, network, accounts: stage.ports.accounts, contracts };
    steps = chainlink.steps?.(input) ?? [];
    known = await performSteps(steps, stage, { chainlink: node.url });
    report = chainlink.report?.(input, known) ?? {};
    const { abi, bytecode } = await compileConsumer();
    const { linkToken, operator } = report.addresses ?? {};
    const deployed = await new ContractFactory(abi.fragments, bytecode, chain.wallet).deploy(
      linkToken,
      operator,
    );
    await deployed.waitForDeployment();
    consumer = new Contract(await deployed.getAddress(), abi.fragments, chain.wallet);
  });
  afterAll(async () => {
    await node?.stop();
    await chain?.stop();
  });

  const at = (name: string, contract: string) =>
    new Contract(report.addresses?.[name] ?? '', contracts.chainlink(contract).abi.fragments, chain.wallet);
  const send = async (sent: Promise<{ wait(): Promise<unknown> }>) => (await sent).wait();
  const feed = (name: string) => at(name, 'PriceFeed');

  async function until<T>(what: string, look: () => Promise<T>, isMet: (value: T) => boolean): Promise<T> {
    const endMs = Date.now() + 60_000;
    for (;;) {
      const value = await look();
      if (isMet(value)) return value;
      if (Date.now() > endMs) throw new Error(`${what}: still ${String(value)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async function echo(number: bigint, payment = 0n): Promise<void> {
    const specId = zeroPadBytes(`0x${specIdOf(echoUint256)}`, 32);
    await send(consumer.echo?.(specId, number, 2, payment) as never);
    await until(
      'the request',
      () => consumer.value?.() as Promise<bigint>,
      (value) => value === number * 2n,
    );
  }

  async function session(): Promise<Record<string, string>> {
    const answer = await fetch(`${node.url}/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: passwordOf(input) }),
    });
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return { 'content-type': 'application/json', cookie };
  }

  it('reports its contracts, the account of the node and the jobs', async () => {
    const { addresses = {}, values = {} } = report;
    for (const name of ['linkToken', 'linkFaucet', 'operator', 'ethUsdFeed', 'linkEthFeed']) {
      expect(await chain.provider.getCode(addresses[name] ?? '')).not.toBe('0x');
    }
    expect(await chain.provider.getBalance(addresses.node ?? '')).toBe(parseEther('50'));
    expect(values).toEqual({
      getUint256Job: 'ca98366cc7314957b8c012c72f05aeeb',
      echoUint256Job: specIdOf(echoUint256),
      ethUsdFeedJob: expect.stringMatching(/^\d+$/),
      linkEthFeedJob: expect.stringMatching(/^\d+$/),
    });
  });

  it("fulfils the request of a consumer that extends Chainlink's client", async () => {
    await echo(21n);
  });

  it('is paid in LINK, which everybody gets from the faucet', async () => {
    const faucet = at('linkFaucet', 'LinkFaucet');
    const link = at('linkToken', 'LinkToken');
    const payment = parseEther('0.1');
    await send(faucet.mint?.(consumer.target, payment) as never);
    await echo(4n, payment);
    expect(await link.balanceOf?.(consumer.target)).toBe(0n);
    expect(await link.balanceOf?.(report.addresses?.operator)).toBe(payment);
  });

  it('asks no private address on behalf of a consumer', async () => {
    const seen: (string | undefined)[] = [];
    const server = await serve((request, response) => {
      seen.push(request.url);
      response.end('{"value":7}');
    });
    const specId = zeroPadBytes(`0x${specIdOf(getUint256)}`, 32);
    await send(consumer.fetch?.(specId, urlOf(server), 'value', 100, 0) as never);
    const headers = await session();
    const runs = async () => {
      const answer = await fetch(`${node.url}/v2/pipeline/runs`, { headers });
      return JSON.stringify(await answer.json());
    };
    await until('the refusal', runs, (text) => text.includes('disallowed IP'));
    expect(seen).toEqual([]);
    server.close();
  });

  it('updates a feed as its job says, which users may edit', async () => {
    expect(await feed('ethUsdFeed').latestAnswer?.()).toBe(250_000_000_000n);
    expect(await feed('linkEthFeed').latestRoundData?.()).toMatchObject([
      1n,
      6_000_000_000_000_000n,
      {},
      {},
      1n,
    ]);
    const headers = await session();
    const place = {
      chainId: chain.chainId,
      node: report.addresses?.node ?? '',
      contract: report.addresses?.ethUsdFeed ?? '',
    };
    const toml = ethUsdJob
      .toml(place)
      .replace('250000000000', '310000000000')
      .replace('0 */5 * * * *', '* * * * * *');
    const edited = await fetch(`${node.url}/v2/jobs/${report.values?.ethUsdFeedJob}`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ toml }),
    });
    expect(edited.status).toBe(200);
    const answer = () => feed('ethUsdFeed').latestAnswer?.() as Promise<bigint>;
    await until('the answer', answer, (value) => value === 310_000_000_000n);
    const round = () => feed('ethUsdFeed').latestRound?.() as Promise<bigint>;
    const before = await round();
    await until('another round', round, (value) => value > before);
  });

  it('sends nothing and keeps edited jobs when its steps are repeated', async () => {
    const before = stage.sent();
    const again = await performSteps(steps, stage, { chainlink: node.url });
    expect(stage.sent()).toBe(before);
    expect(chainlink.report?.(input, again)).toEqual(report);
    const answer = await fetch(`${node.url}/v2/jobs/${ethUsdJob.externalJobId}`, {
      headers: await session(),
    });
    expect(await answer.text()).toContain('310000000000');
  });

  it('goes on when its process is killed', async () => {
    await node.crash();
    await echo(33n);
    const round = () => feed('ethUsdFeed').latestRound?.() as Promise<bigint>;
    const before = await round();
    await until('another round', round, (value) => value > before);
  });

  it('moves its jobs to the contracts of a new deployment', async () => {
    const next: PluginStepsInput<'chainlink'> = {
      ...input,
      network: { ...network, incarnation: 'fedcba9876543210' },
    };
    const moved = await performSteps(chainlink.steps?.(next) ?? [], stage, { chainlink: node.url });
    const { operator, linkEthFeed } = chainlink.report?.(next, moved).addresses ?? {};
    expect(operator).not.toBe(report.addresses?.operator);
    const headers = await session();
    for (const [job, address] of [
      [echoUint256, operator],
      [linkEthJob, linkEthFeed],
    ] as const) {
      const answer = await fetch(`${node.url}/v2/jobs/${job.externalJobId}`, { headers });
      expect((await answer.text()).toLowerCase()).toContain(address);
    }
  });

  it("serves the node's own command line below a path", async () => {
    const prefix = '/rpc/network/key/chainlink';
    const gateway = await serve((request, response) => {
      const path = request.url?.startsWith(`${prefix}/`) ? request.url.slice(prefix.length) : '/404';
      const { method, headers } = request;
      const upstream = httpRequest(`${node.url}${path}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      request.pipe(upstream);
    });
    const folder = mkdtempSync(join(tmpdir(), 'slipway-chainlink-cli-'));
    writeFileSync(join(folder, 'api.txt'), `${email}\n${passwordOf(input)}\n`);
    const cli = async (...args: string[]) => {
      const all = ['--remote-node-url', `${urlOf(gateway)}${prefix}`, '--json', ...args];
      const env = { PATH: '/usr/bin:/bin', HOME: folder, ROOT: folder, CL_CONFIG: `RootDir = '${folder}'` };
      return (await promisify(execFile)(node.program, all, { cwd: folder, env })).stdout;
    };
    await cli('admin', 'login', '-f', 'api.txt');
    const jobs = await cli('jobs', 'list');
    for (const { name } of [getUint256, echoUint256, linkEthJob]) expect(jobs).toContain(name);
    gateway.close();
    rmSync(folder, { recursive: true, force: true });
  });
});

async function serve(handler: Parameters<typeof createServer>[1]): Promise<Server> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return server;
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
