import { ContractFactory, JsonRpcProvider } from 'ethers';
import type { Token } from '../core/api/rest/token.ts';
import type { SceneNetwork } from '../core/outbox/testing/scene.ts';
import { tokenContractsForTests } from '../hack/contracts/forTests.ts';
import { startTokenOperator } from '../operator/token/testing/operator.ts';
import { startChainBed } from './lib/chainBed.ts';
import { percentile, round, writeReport } from './lib/report.ts';
import { measureBothMs } from './lib/timing.ts';

/**
 * Deploys an ERC20 to 1, 8 and 16 networks in one REST call, until every deployment is reported as deployed, compared
 * with ethers deploying the same contract on the same networks in parallel, until every receipt is available. The aims:
 * 16 networks take at most twice as long as 1, and the rate is at least 0.8 of the raw rate.
 */
const sizes = [1, 8, 16];
const rounds = 7;
const pollMs = 10;

const bed = await startChainBed();
const { scene, headers } = bed;
const operator = await startTokenOperator(bed.kube, scene);
const { abi, bytecode } = tokenContractsForTests().erc20('CappedToken');
const base = `${bed.url}/token`;
const providers = new Map<string, JsonRpcProvider>();
try {
  const networks = await Promise.all(
    Array.from({ length: Math.max(...sizes) }, (_, index) => scene.addNetwork(`net-${index}`)),
  );
  for (const { id, url } of networks) {
    providers.set(id, new JsonRpcProvider(url, undefined, { pollingInterval: pollMs, cacheTimeout: -1 }));
  }
  await deployRaw(networks);
  await deployOverRest(networks);
  const rows = [];
  for (const size of sizes) {
    const targets = networks.slice(0, size);
    const [raw, rest]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < rounds; turn += 1) {
      const sides = [() => deployRaw(targets), () => deployOverRest(targets)] as const;
      const [rawMs, restMs] = await measureBothMs(turn, ...sides);
      raw.push(rawMs);
      rest.push(restMs);
    }
    const row = {
      networks: size,
      rawMs: round(percentile(raw, 0.5), 0),
      restMs: round(percentile(rest, 0.5), 0),
      ratio: round(percentile(raw, 0.5) / percentile(rest, 0.5)),
    };
    rows.push(row);
    console.log(JSON.stringify(row));
  }
  const [one, , sixteen] = rows;
  const growth = round((sixteen?.restMs ?? 0) / (one?.restMs ?? 1));
  console.log(`16 networks take ${growth} times as long as one`);
  writeReport('tokens', { aims: 'growth ≤ 2, ratio ≥ 0.8', rounds, rows, growth });
} finally {
  for (const provider of providers.values()) provider.destroy();
  await operator.stop();
  await bed.stop();
}

async function deployRaw(targets: readonly SceneNetwork[]): Promise<void> {
  await Promise.all(
    targets.map(async ({ id }) => {
      const wallet = scene.wallet.connect(providers.get(id) ?? null);
      const factory = new ContractFactory(abi, bytecode, wallet);
      const contract = await factory.deploy('Test', 'TST', 18, 1000n, 1000n, scene.wallet.address);
      await contract.waitForDeployment();
    }),
  );
}

async function deployOverRest(targets: readonly SceneNetwork[]): Promise<void> {
  const deployments = targets.map(({ id }) => ({ network_id: id, args: { total_supply: '1000' } }));
  const body = JSON.stringify({ name: 'Test', symbol: 'TST', deployments });
  const created = await fetch(`${base}/erc20/deploy`, { method: 'POST', headers, body });
  if (created.status !== 201) throw new Error(await created.text());
  const { id } = (await created.json()) as Token;
  for (;;) {
    const token = (await (await fetch(`${base}/${id}`, { headers })).json()) as Token;
    if (token.deployments?.every(({ token_address, message }) => token_address !== '' && !message)) return;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
