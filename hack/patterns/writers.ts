/** The texts that clients search. */
export const ownText = 'the service, and whoever uses the client';

/** Who writes the texts that the patterns of a file or folder search. The longest path counts. */
const paths: readonly [who: string, paths: readonly string[]][] = [
  [
    'callers of REST, with or without credentials',
    [
      'apiserver/',
      'core/abi/',
      'mcp/',
      'core/accounts/',
      'core/api/',
      'core/chains/',
      'core/lib/',
      'core/networks/',
      'core/tokens/',
      'core/tracing/',
      'features/',
      'mcp/',
    ],
  ],
  [
    'whoever has a URL of a network',
    [
      'apiserver/gateway/',
      'features/verification/server/',
      'core/plugins/',
      'engines/dfns/',
      'engines/graph/',
    ],
  ],
  [
    'nodes, and the contracts on them',
    [
      'features/explorer/server/',
      'apiserver/gateway/jsonrpc/scrub.ts',
      'apiserver/gateway/nodes/',
      'apiserver/recordings/',
      'core/crosschain/',
      'core/deploy/',
      'core/evm/',
      'core/networks/heads/',
      'core/plugins/vrf/steps/',
      'core/tokens/cct/token.ts',
      'operator/',
    ],
  ],
  [
    'compilers, which quote the sources',
    ['features/verification/server/compare.ts', 'features/verification/server/compile.ts'],
  ],
  ['engines of forks, and fork sources', ['forks/']],
  ['identity providers', ['features/identity/server/oidc/']],
  ['mail servers', ['features/identity/server/mail/']],
  ['receivers of webhooks', ['features/webhooks/operator/']],
  ['kube-apiserver, which quotes users', ['core/kube/', 'operator/network/decide/checks/rights.ts']],
  ['all of them: messages, and the logs of engines', ['core/lib/redact.ts']],
  [
    ownText,
    [
      'cli/',
      'console/',
      'features/explorer/cli/',
      'features/explorer/console/',
      'features/identity/console/',
      'features/usage/cli/',
      'features/usage/console/',
      'features/webhooks/console/',
      'sdk/',
    ],
  ],
  [
    'Slipway itself, and whoever installs it',
    [
      'cli/completion/',
      'cli/lib/program.ts',
      'core/api/installation.ts',
      'core/api/openapi/',
      'core/chains/evm/real/',
      'core/chains/systemContracts.ts',
      'core/deploy/artifacts.ts',
      'core/engines/',
      'operator/network/render/',
      'features/usage/operator/',
      'operator/workspace/',
    ],
  ],
];

const byPath = paths.flatMap(([who, own]) => own.map((path): [path: string, who: string] => [path, who]));

/** Everybody in the table, in its order. */
export const writers: readonly string[] = paths.map(([who]) => who);

/** Who writes the texts that a file searches; undefined for a file that the table does not cover. */
export function writerOf(file: string): string | undefined {
  const [closest] = byPath
    .filter(([path]) => file.startsWith(path))
    .sort(([one], [other]) => other.length - one.length);
  return closest?.[1];
}
