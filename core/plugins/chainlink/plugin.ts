import type { Known } from '../../deploy/step.ts';
import type {
  Plugin,
  PluginInput,
  PluginPart,
  PluginPlan,
  PluginReport,
  PluginStepsInput,
} from '../plugin.ts';
import { postgresPart } from '../postgres.ts';
import { configOf, databaseName, email, httpPort, passwordOf, secretsOf } from './config.ts';
import { echoUint256, ethUsdJob, getUint256, linkEthJob, specIdOf } from './jobs.ts';
import { stepsOf } from './steps.ts';

const configPath = '/etc/chainlink/config.toml';
const secretsPath = '/etc/chainlink/secrets.toml';
const apiPath = '/etc/chainlink/api.txt';

/** A Chainlink node on Postgres with LINK, an Operator and two price feeds. */
export const chainlink: Plugin<'chainlink'> = {
  name: 'chainlink',
  engines: () => [
    { engine: 'chainlink', path: '' },
    { engine: 'postgres', path: '' },
  ],
  services: () => ({ chainlink: { part: 'node', port: 'http', needs: 'admin' } }),
  plan: planOf,
  steps: stepsOf,
  errorAbis: (contracts) =>
    ['LinkToken', 'LinkFaucet', 'Operator', 'PriceFeed'].map((name) => contracts.chainlink(name).abi),
  report: reportOf,
};

function planOf(input: PluginInput): PluginPlan {
  const password = passwordOf(input);
  const database = { name: 'db', databases: [databaseName], passwordSecret: 'postgres' };
  return {
    parts: [{ ...postgresPart(database), afterLoss }, nodePart(input)],
    secrets: {
      postgres: input.deriveSecret('postgres'),
      'secrets.toml': secretsOf(input),
      'api.txt': `${email}\n${password}\n`,
    },
    credentials: { email, password },
  };
}

/** Only a node that starts fills its database. */
const afterLoss = 'the node runs on an empty database: request a Restart';

/** The node exits when it starts before its database. */
const waitScript = `until chainlink -c ${configPath} -s ${secretsPath} node db version; do sleep 0.5; done`;

const engine = 'chainlink' as const;

function nodePart(input: PluginInput): PluginPart {
  return {
    name: 'node',
    engine,
    init: [
      {
        name: 'wait',
        engine,
        command: ['/bin/sh', '-c', waitScript],
        args: [],
        secretFiles: { [secretsPath]: 'secrets.toml' },
      },
    ],
    args: ['-c', configPath, '-s', secretsPath, 'node', 'start', '-a', apiPath],
    files: { [configPath]: configOf(input) },
    secretFiles: { [secretsPath]: 'secrets.toml', [apiPath]: 'api.txt' },
    ports: { http: httpPort },
    // No path: /health is not 200 while an idle chain has no new blocks, and the pages have a limit of requests.
    readyPort: 'http',
  };
}

function reportOf({ network: { id } }: PluginStepsInput, known: Known): PluginReport {
  const at = (name: string) => known.get(id, name);
  return {
    addresses: {
      linkToken: at('link'),
      linkFaucet: at('link-faucet'),
      operator: at('operator'),
      ethUsdFeed: at('eth-usd'),
      linkEthFeed: at('link-eth'),
      node: at('key.address'),
    },
    values: {
      getUint256Job: specIdOf(getUint256),
      echoUint256Job: specIdOf(echoUint256),
      ethUsdFeedJob: at(`${ethUsdJob.name}.id`),
      linkEthFeedJob: at(`${linkEthJob.name}.id`),
    },
  };
}
