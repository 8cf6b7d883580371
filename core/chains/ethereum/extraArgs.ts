const quoted = /\\([\s\S])|"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'/g;
const wordAt = /\s*((?:[^\s"'\\]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"|'[^']*')+)\s*/y;

/**
 * Splits a line into words as a POSIX shell does: at blanks, with quotes and backslashes, without any expansion.
 * Returns undefined when a quote is left open.
 */
export function splitWords(line: string): string[] | undefined {
  const words: string[] = [];
  for (let at = line.search(/\S|$/); at < line.length; at = wordAt.lastIndex) {
    wordAt.lastIndex = at;
    const word = wordAt.exec(line)?.[1];
    if (word === undefined) return undefined;
    words.push(unquote(word));
  }
  return words;
}

function unquote(word: string): string {
  return word.replace(quoted, (...[, escaped, inDouble, inSingle]: (string | undefined)[]) => {
    return escaped ?? inDouble?.replace(/\\(["\\$`])/g, '$1') ?? inSingle ?? '';
  });
}

/** Words in a flag's name that make it reserved; the first match gives the reason of the refusal. */
const reserved: [reason: string, words: RegExp][] = [
  [
    'the network sets keys and passwords',
    /^(jwt|jwtsecrets?|keys?|nodekey|nodekeyhex|netkey|secrets?|passwords?|keystores?|keymanager|wallet|mnemonic|unlock|signer|web3signer|interop|dev|token|validators?)$/,
  ],
  [
    'the network sets files and folders',
    /^(datadir|dir|file|path|folder|config|configuration|genesis|log|logs|ipc|ipcpath|ancient|tmpdir|snapshots?|static)$/,
  ],
  [
    'the network sets ports and addresses',
    /^(port|ports|addr|address|addresses|host|hosts|hostname|interface|ip|nat|listen|vhosts|cors|corsdomain|origins?|whitelist|allowlist|http|https|ws|rpc|authrpc|graphql|rest|api|engine|grpc|metrics|monitoring|pprof|pprofaddr|admin|p2p|libp2p|enr|udp|tcp|quic)$/,
  ],
  [
    'nodes must not connect to external addresses',
    /^(url|urls|uri|endpoint|endpoints|provider|providers|checkpoint|bootnodes?|bootstrap|peers?|staticpeers|trusted|direct|dns|discovery|discv4|discv5|torrent|webseed|ethstats|telemetry|otlp|tracing|influxdb|builder|relay|mev|remote|fork|sync|fetch)$/,
  ],
  [
    'the network sets the chain and its parameters',
    /^(chain|chainid|network|networkid|testnet|override|mainnet|sepolia|holesky|hoodi|goerli|gnosis|chiado|minimal|preset|params|spec|state|init)$/,
  ],
];

/** A flag that an extra argument must not set, and why. */
export interface ReservedFlag {
  flag: string;
  reason: string;
}

/** The first of the extra arguments that is reserved for the network; undefined when there is none. */
export function findReserved(words: readonly string[]): ReservedFlag | undefined {
  for (const [index, word] of words.entries()) {
    const { flag, value } = partsOf(word);
    if (flag === undefined && index === 0)
      return { flag: word, reason: 'extra arguments must begin with a flag' };
    const reason = (flag === undefined ? undefined : reasonOf(flag)) ?? reasonOfValue(value);
    if (reason) return { flag: flag ?? value, reason };
  }
  return undefined;
}

function partsOf(word: string): { flag: string | undefined; value: string } {
  if (!word.startsWith('-')) return { flag: undefined, value: word };
  const at = word.indexOf('=');
  return at === -1 ? { flag: word, value: '' } : { flag: word.slice(0, at), value: word.slice(at + 1) };
}

/** `--JsonRpc.EngineHost` and `--json-rpc-engine-host` have the same words. */
function reasonOf(flag: string): string | undefined {
  const name = flag.replace(/^-+/, '');
  if (name.length < 2) return 'use the long name of the flag';
  const pieces = name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return reserved.find(([, words]) => pieces.some((piece) => words.test(piece)))?.[0];
}

function reasonOfValue(value: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return 'nodes must not connect to external addresses';
  if (/^(\/|\.\.?\/|~)/.test(value) || value.includes('..')) return 'the network sets files and folders';
  return value.includes('$(') ? 'variables are not expanded' : undefined;
}
