import fc from 'fast-check';
import { driverOf } from '../../registry.ts';
import { inputOf } from '../testing/planInput.ts';
import { consensusFlags } from './consensusFlags.ts';
import { executionFlags } from './executionFlags.ts';
import type { FlagType } from './flagTypes.ts';
import { type AllowedFlags, readExtraArgs } from './read.ts';

const clients = Object.entries({ ...executionFlags, ...consensusFlags });
const flags = clients.flatMap(([client, allowed]) =>
  Object.entries(allowed).map(([flag, type]): [string, string, FlagType] => [client, flag, type]),
);
const allowedOf = (client: string): AllowedFlags =>
  ({ ...executionFlags, ...consensusFlags })[client as keyof typeof executionFlags] ?? {};

/** What every argument looks like that a client may get: nothing in it is syntax for a shell. */
const safe = /^--?[A-Za-z][A-Za-z0-9.-]*(=[A-Za-z0-9][A-Za-z0-9._,:=/-]*)?$/;

describe('each flag of each client', () => {
  it.each(flags)('%s %s takes its example, in both forms, as one argument', (client, flag, { example }) => {
    const forms = example === undefined ? [flag] : [`${flag}=${example}`, `${flag}  "${example}"`];
    const lines = allowedOf(client)[flag]?.isSwitch ? [forms[0] ?? '', flag] : forms;
    for (const line of lines) {
      const read = readExtraArgs(line, allowedOf(client));
      const expected = line === flag && example !== undefined ? `${flag}=true` : undefined;
      const inFull = example === undefined ? flag : `${flag}=${example}`;
      expect(read).toEqual({ args: [expected ?? inFull] });
    }
  });

  it.each(clients)('of %s takes no value with a character that is syntax somewhere', (_client, allowed) => {
    const taken = Object.entries(allowed).flatMap(([flag, { example = 'x' }]) =>
      [...' \t\n\r;&|<>()$`\\"\'*?[]{}~!#%^@+'].flatMap((character) =>
        [`${character}${example}`, `${example}${character}`, `${example}${character}${example}`]
          .map((value) => `'${`${flag}=${value}`.replaceAll("'", `'\\''`)}'`)
          .filter((line) => !('refusal' in readExtraArgs(line, allowed))),
      ),
    );
    expect(taken).toEqual([]);
  });

  it('is not a flag that the network sets: parsers refuse a flag that is given twice', () => {
    const doubled = clients.flatMap(([client, allowed]) => {
      const type = client in executionFlags ? 'elType' : 'clType';
      const plan = driverOf('Ethereum')?.plan(inputOf({ participants: [{ [type]: client, count: 2 }, {}] }));
      const part = plan?.parts.find(({ name }) => name === (type === 'elType' ? 'el-1' : 'cl-1'));
      const own = [...(part?.args ?? []), ...(part?.argsWithoutCopy ?? [])].map((arg) => arg.split('=')[0]);
      return Object.keys(allowed)
        .filter((flag) => own.includes(flag))
        .map((flag) => `${client} ${flag}`);
    });
    // geth takes the last one.
    expect(doubled).toEqual(['geth --miner.gasprice']);
  });
});

describe('whatever a line says', () => {
  const word = fc.oneof(
    fc.constantFrom(...flags.map(([, flag]) => flag)),
    fc.constantFrom(...flags.map(([, flag, { example = '' }]) => `${flag}=${example}`)),
    fc.constantFrom(...flags.map(([, , { example = '1' }]) => example)),
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('=', '"', "'", '\\', '--', '-', '\n', ' '),
  );
  const line = fc.array(fc.tuple(word, fc.constantFrom('', ' ', '=')), { maxLength: 8 });

  it.each(clients)('%s gets only arguments that no shell takes for syntax', (_client, allowed) => {
    fc.assert(
      fc.property(line, (pieces) => {
        const read = readExtraArgs(pieces.flat().join(''), allowed);
        if ('refusal' in read) return true;
        const names = read.args.map((arg) => arg.split('=')[0] ?? '');
        const isSafe = read.args.every((arg) => safe.test(arg));
        const isKnown = names.every((name) => Object.hasOwn(allowed, name));
        return isSafe && isKnown && new Set(names).size === names.length;
      }),
      { numRuns: 300 },
    );
  });

  it.each(clients)('%s gets the same again when it is read again', (_client, allowed) => {
    const arg = fc.constantFrom(...Object.entries(allowed)).map(([flag, { example }]) => {
      return example === undefined ? flag : `${flag}=${example}`;
    });
    fc.assert(
      fc.property(fc.uniqueArray(arg, { selector: (text) => text.split('=')[0] }), (args) => {
        expect(readExtraArgs(args.join(' '), allowed)).toEqual({ args });
      }),
      { numRuns: 20 },
    );
  });
});

const { geth, reth, erigon, besu, nethermind } = executionFlags;
const { lighthouse, prysm, lodestar, nimbus } = consensusFlags;

const accepted: [reason: string, line: string, allowed: AllowedFlags, args: string[]][] = [
  ['nothing', ' ', geth, []],
  [
    'several',
    '--verbosity=4 --cache 256 --txpool.globalslots=9',
    geth,
    ['--verbosity=4', '--cache=256', '--txpool.globalslots=9'],
  ],
  ['how much reth logs, in short', '-vvv', reth, ['-vvv']],
  ['a switch of a parser that takes a value', '--txpool.nolocals', geth, ['--txpool.nolocals=true']],
  ['a switch that is off', '--txpool.nolocals=false', geth, ['--txpool.nolocals=false']],
  ['a switch of a parser that takes none', '--txpool.nolocals', reth, ['--txpool.nolocals']],
  ['a switch before a flag', '--log-color --graffiti a', lighthouse, ['--log-color=true', '--graffiti=a']],
  ['a word in other letters', '--logging=debug', besu, ['--logging=DEBUG']],
  ['a unit in other letters', '--batchSize 256m', erigon, ['--batchSize=256MB']],
  ['a long duration', '--rpc.evmtimeout=1h0m30s', geth, ['--rpc.evmtimeout=1h0m30s']],
  ['a fraction', '--rpc.txfeecap=0.25', geth, ['--rpc.txfeecap=0.25']],
  ['zero', '--rpc.gascap=0', geth, ['--rpc.gascap=0']],
  ['the largest number', '--rpc.gascap=18446744073709551615', geth, ['--rpc.gascap=18446744073709551615']],
  [
    'levels of modules',
    '--log.vmodule p2p=5,eth/downloader=4',
    geth,
    ['--log.vmodule=p2p=5,eth/downloader=4'],
  ],
  [
    'levels of Rust',
    '--log.stdout.filter info,reth::cli=debug',
    reth,
    ['--log.stdout.filter=info,reth::cli=debug'],
  ],
  ['milliseconds', '--builder.interval 50ms', reth, ['--builder.interval=50ms']],
  ['text for blocks', "--graffiti 'slipway-1.0_a'", lighthouse, ['--graffiti=slipway-1.0_a']],
  ['ascending numbers', '--hierarchy-exponents=5,9', lighthouse, ['--hierarchy-exponents=5,9']],
  ['the smallest database', '--db.size.limit=1024M', erigon, ['--db.size.limit=1024MB']],
  ['the largest database', '--db.size.limit=4tb', erigon, ['--db.size.limit=4TB']],
  [
    'a pool at the price of the miner',
    '--tx-pool-min-gas-price=2000 --min-gas-price=2000',
    besu,
    ['--tx-pool-min-gas-price=2000', '--min-gas-price=2000'],
  ],
  ['a free miner', '--min-gas-price=0', besu, ['--min-gas-price=0']],
  ['a pool that fits into the usual memory', '--TxPool.Size=16000', nethermind, ['--TxPool.Size=16000']],
  [
    'a pool that fits into more memory',
    '--TxPool.Size=100000 --Init.MemoryHint=12000000000',
    nethermind,
    ['--TxPool.Size=100000', '--Init.MemoryHint=12000000000'],
  ],
];

it.each(accepted)('accepts %s', (_reason, line, allowed, args) => {
  expect(readExtraArgs(line, allowed)).toEqual({ args });
});

const refused: [reason: string, line: string, allowed: AllowedFlags, refusal: RegExp][] = [
  ['an open quote', "'", geth, /^has an unclosed quote: close it$/],
  [
    'a flag of another client',
    '--verbosity=4',
    lighthouse,
    /^"--verbosity" is not allowed: .*; allowed: --always-prepare-payload, /,
  ],
  ['a port', '--http.port=1', geth, /"--http.port" is not allowed: the network sets everything else/],
  ['one dash', '-cache 64', geth, /^"-cache" is not allowed: write "--cache"$/],
  ['two dashes of a short flag', '--vvv', reth, /^"--vvv" is not allowed: write "-vvv"$/],
  ['too many of a short flag', '-vvvvvv', reth, /"-vvvvvv" is not allowed/],
  [
    'no flag',
    'attach --exec x',
    geth,
    /^"attach" is not allowed: it is neither a flag nor the value of one$/,
  ],
  ['a command after a switch', '--txpool.nolocals attach', geth, /"attach" is not allowed/],
  ['a flag that every object has', '--constructor=1', geth, /"--constructor" is not allowed/],
  [
    'no value',
    '--cache --verbosity=1',
    geth,
    /^"--cache" takes a whole number from 0 to 65536, it has none$/,
  ],
  ['an empty value', '--cache=', geth, /^"--cache" takes a whole number from 0 to 65536, not ""$/],
  ['an empty word', "--cache ''", geth, /^"--cache" takes .*, not ""$/],
  ['too large a number', '--cache=65537', geth, /^"--cache" takes .*, not "65537"$/],
  ['too small a number', '--block-batch-limit=0', prysm, /takes a whole number from 1 to 128, not "0"/],
  [
    'a number beyond 64 bits',
    '--rpc.gascap=18446744073709551616',
    geth,
    /takes a whole number from 0 to 18446744073709551615/,
  ],
  [
    'a level that the client does not have',
    '--debug-level=crit',
    lighthouse,
    /takes one of info, debug, trace, warn, error, not "crit"/,
  ],
  [
    'a value of a switch of a parser that takes none',
    '--txpool.nolocals=false',
    reth,
    /^"--txpool.nolocals" takes no value, not "false"$/,
  ],
  [
    'a number for a switch',
    '--chain.nHistoricalStates=3',
    lodestar,
    /takes no value, "true" or "false", not "3"/,
  ],
  ['a duration without unit', '--rpc.evmtimeout=5', geth, /takes a duration such as 500ms, 5s or 1h30m/],
  ['a negative duration', '--rpc.evmtimeout=-5s', geth, /not "-5s"/],
  ['units in another order', '--rpc.evmtimeout=5s1h', geth, /not "5s1h"/],
  ['a size without unit', '--batchSize=512', erigon, /takes a size from 1MB to 64GB: a whole number and KB,/],
  ['a size of nothing', '--batchSize=0MB', erigon, /takes a size/],
  ['a database that holds no genesis', '--db.size.limit=1023MB', erigon, /takes a size from 1GB to 4TB/],
  ['a database that nothing can map', '--db.size.limit=5TB', erigon, /takes a size from 1GB to 4TB/],
  ['a cache that takes all memory', '--state-cache-size=2147483647', lighthouse, /from 4 to 1024/],
  ['another one', '--block-cache-size=4097', lighthouse, /from 1 to 4096/],
  [
    'a pool above the price of the miner',
    '--min-gas-price=100 --tx-pool-min-gas-price=101',
    besu,
    /^"--tx-pool-min-gas-price" is 101, more than "--min-gas-price", 100: set "--min-gas-price" to at least as much$/,
  ],
  [
    'a pool above the usual price of the miner',
    '--tx-pool-min-gas-price=1001',
    besu,
    /more than "--min-gas-price", 1000:/,
  ],
  [
    'a pool that does not fit into the usual memory',
    '--TxPool.Size=30000',
    nethermind,
    /^"--TxPool.Size" is 30000, but "--Init.MemoryHint", 2000000000, .* leaves room for 16\d+: lower it, or raise/,
  ],
  [
    'peers that leave too little for the usual pool',
    '--Init.MemoryHint=536870912 --Network.MaxActivePeers=250',
    nethermind,
    /^"--TxPool.Size" is 2048, but .* with 250 of "--Network.MaxActivePeers" leaves room for/,
  ],
  [
    'hexadecimal text',
    '--miner.extradata=0xab',
    geth,
    /beginning with a letter or a digit, but not with "0x"/,
  ],
  ['33 letters', `--Blocks.ExtraData=${'a'.repeat(33)}`, nethermind, /takes up to 32 letters/],
  ['a pattern of modules', '--log.vmodule=eth/*=5', geth, /takes modules with their levels/],
  ['a level that geth does not have', '--log.vmodule=eth=6', geth, /takes modules with their levels/],
  [
    'too many modules',
    `--log.vmodule=${Array.from({ length: 17 }, (_, at) => `m${at}=1`)}`,
    geth,
    /takes modules/,
  ],
  ['a filter by fields', '--log.stdout.filter=[{a=1}]=debug', reth, /takes levels/],
  ['levels of topics', "--log-level 'INFO; TRACE:discv5'", nimbus, /takes one of TRACE, DEBUG/],
  ['descending numbers', '--hierarchy-exponents=9,5', lighthouse, /takes ascending numbers/],
  ['a comma at the end', '--hierarchy-exponents=5,', lighthouse, /takes ascending numbers/],
];

it.each(refused)('refuses %s, and says what to do', (_reason, line, allowed, refusal) => {
  expect(readExtraArgs(line, allowed)).toEqual({ refusal: expect.stringMatching(refusal) });
});
