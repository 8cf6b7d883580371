import type { Network } from '../../../../sdk/src/generated/types.ts';
import { curlOf, type Snippet, sdkOf, shellText, shellWord } from '../../lib/snippets.ts';
import { toYaml } from '../../lib/yaml.ts';
import type { toBody } from './form.ts';
import { type StandardPath, standards } from './standards.ts';

type Body = ReturnType<typeof toBody>;

interface Deploy {
  path: StandardPath;
  body: Body;
  networks: readonly Network[];
  workspace: string;
}

/** How else to make the same request. */
export function snippetsOf({ path, body, networks, workspace }: Deploy): Snippet[] {
  const url = `/transaction/v1alpha1/transaction/token/${path}/deploy`;
  return [
    { name: 'curl', text: curlOf(url, body, workspace) },
    { name: 'CLI', text: cliOf({ path, body, networks, workspace }) },
    { name: 'SDK', text: sdkOf(`const token = await client.tokens.${standards[path].call}`, body) },
    { name: 'YAML', text: yamlOf({ path, body, networks, workspace }) },
  ];
}

/** The options of the command where all networks have the same args, otherwise the body. */
function cliOf({ path, body, networks }: Deploy): string {
  const [first, ...others] = body.deployments.map(({ args }) => JSON.stringify(args));
  const isSame = others.every((one) => one === first);
  const standard = `slipway token deploy --standard ${path}`;
  if (!isSame) return `${standard} --wait --file - <<'EOF'\n${JSON.stringify(body, null, 2)}\nEOF`;
  const args = Object.entries(body.deployments[0]?.args ?? {}).map(
    ([name, value]) =>
      `--arg ${shellWord(`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)}`,
  );
  const labels = Object.entries(body.metadata?.labels ?? {}).map(
    ([name, value]) => `--label ${shellWord(`${name}=${value}`)}`,
  );
  return [
    standard,
    `--name ${shellText(body.name)} --symbol ${shellText(body.symbol)} --decimals ${body.decimals}`,
    ...networks.map(({ name }) => `--network ${shellWord(name)}`),
    ...args,
    ...labels,
    '--wait',
  ].join(' \\\n  ');
}

function yamlOf({ path, body, networks }: Deploy): string {
  const { type, mechanism } = standards[path];
  const { name, symbol, decimals } = body;
  return toYaml({
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Token',
    metadata: {
      name: symbol.toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-') || 'token',
      labels: body.metadata?.labels,
    },
    spec: {
      name,
      symbol,
      decimals,
      type,
      mechanism,
      deployments: body.deployments.map(({ args }, index) => ({ network: networks[index]?.name, args })),
    },
  });
}
