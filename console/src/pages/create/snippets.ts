import type { NetworkCreate } from '../../../../sdk/src/generated/types.ts';
import { memberOf } from '../../lib/chains.ts';
import { curlOf, type Snippet, sdkOf, shellWord } from '../../lib/snippets.ts';
import { toYaml } from '../../lib/yaml.ts';

const waits = "await client.waitFor(id, 'Operational');\n";

/**
 * How else to make the same request. The credentials stay in the environment. `newKey`: the secret that the form creates along,
 * which only the command does by itself.
 */
export function snippetsOf(body: NetworkCreate, workspace: string, newKey?: string): Snippet[] {
  const key = `slipway secret create ${shellWord(newKey ?? '')} --random`;
  const first = (mark: string) => (newKey === undefined ? '' : `${mark} First: ${key}\n`);
  const sdk = sdkOf('const { id } = await client.networks.create', body, waits);
  return [
    { name: 'curl', text: first('#') + curlOf('/v1alpha/networks', body, workspace) },
    { name: 'CLI', text: cliOf(body, newKey === undefined ? undefined : key) },
    { name: 'SDK', text: first('//') + sdk },
    { name: 'YAML', text: first('#') + yamlOf(body) },
  ];
}

/** The options of the command where they say the same, otherwise the manifest. */
function cliOf(body: NetworkCreate, key: string | undefined): string {
  const options = cliOptions(body, key !== undefined);
  if (!options) return `${key ? `${key}\n` : ''}slipway apply -f - <<'EOF'\n${yamlOf(body)}EOF`;
  return ['slipway network create', shellWord(body.name ?? ''), ...options, '--wait']
    .filter(Boolean)
    .join(' ');
}

type Option = (value: unknown) => string[];
const valueOption =
  (flag: string): Option =>
  (value) => [flag, shellWord(String(value))];
const memberOption =
  (flag: string, member: string): Option =>
  (value) => [flag, shellWord(String(memberIn(value, member)))];

const memberIn = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;

const options: Readonly<Record<string, Option>> = {
  privateKeyRef: memberOption('--key', 'name'),
  chainID: valueOption('--chain-id'),
  blockTime: valueOption('--block-time'),
  history: valueOption('--history'),
  gasLimit: valueOption('--gas-limit'),
  profile: valueOption('--engine'),
  forking: (value) => ['--fork', shellWord(String(memberIn(value, 'blockHeight') ?? 'latest'))],
  plugins: (value) => Object.keys(value ?? {}).flatMap((name) => ['--plugin', shellWord(name)]),
  from: memberOption('--from', 'snapshot'),
  persistent: (value) => (value ? ['--persistent'] : []),
  idleAfter: valueOption('--idle-after'),
  expiresAfter: valueOption('--expires-after'),
};

function cliOptions({ metadata, spec }: NetworkCreate, isNewKey: boolean): string[] | undefined {
  const { chain, ...rest } = spec;
  const { type, ...members } = chain;
  const settings = Object.entries(members).find(([name]) => name === memberOf(type))?.[1] ?? {};
  const given = [...Object.entries(settings), ...Object.entries(rest)];
  if (!given.every(([name]) => name in options)) return undefined;
  const labels = Object.entries(metadata?.labels ?? {}).flatMap(([name, value]) => [
    '--label',
    shellWord(`${name}=${value}`),
  ]);
  return [
    '--type',
    shellWord(type),
    ...given.flatMap(([name, value]) =>
      name === 'privateKeyRef' && isNewKey ? ['--new-key'] : (options[name]?.(value) ?? []),
    ),
    ...labels,
  ];
}

function yamlOf({ name, metadata, spec }: NetworkCreate): string {
  return toYaml({
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Network',
    metadata: { name: name ?? '', ...metadata },
    spec,
  });
}
