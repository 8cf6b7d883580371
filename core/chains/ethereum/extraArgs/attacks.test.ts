import type { EthereumParticipantSpec } from '../../../api/resources/chainSpecs.ts';
import { driverOf } from '../../registry.ts';
import { refuseParticipants } from '../refusals.ts';
import { allEngines, inputOf } from '../testing/planInput.ts';

/** A client, one of its flags that takes a whole number, and one of its switches. */
interface Client {
  name: string;
  field: 'elExtraArgs' | 'clExtraArgs';
  participant: EthereumParticipantSpec;
  flag: string;
  toggle: string;
}

const execution = (elType: EthereumParticipantSpec['elType'], flag: string, toggle: string): Client => {
  return { name: `${elType}`, field: 'elExtraArgs', participant: { elType }, flag, toggle };
};
const consensus = (clType: EthereumParticipantSpec['clType'], flag: string, toggle: string): Client => {
  return { name: `${clType}`, field: 'clExtraArgs', participant: { clType }, flag, toggle };
};

const clients: Client[] = [
  execution('geth', '--cache', '--txpool.nolocals'),
  execution('reth', '--txpool.pending-max-count', '--txpool.nolocals'),
  // It has no switches: this one is the network's own.
  execution('nethermind', '--TxPool.Size', '--Init.WebSocketsEnabled'),
  execution('erigon', '--rpc.batch.limit', '--log.json'),
  execution('besu', '--tx-pool-max-prioritized', '--revert-reason-enabled'),
  consensus('lighthouse', '--target-peers', '--disable-quic'),
  consensus('teku', '--data-storage-archive-frequency', '--log-color-enabled'),
  consensus('nimbus', '--max-peers', '--subscribe-all-subnets'),
  consensus('lodestar', '--targetPeers', '--supernode'),
  consensus('grandine', '--target-peers', '--prune-storage'),
  consensus('prysm', '--p2p-max-peers', '--prepare-all-payloads'),
];

const refusalsOf = ({ participant, field }: Client, line: string) =>
  refuseParticipants(
    { privateKeyRef: { name: 'key' }, participants: [{ ...participant, [field]: line }] },
    allEngines,
  );

/** A word as a POSIX shell reads it. */
const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

const values: [reason: string, value: string][] = [
  ['a further flag', '9 --p2p-port=1'],
  ['a command after a semicolon', '9; id'],
  ['a command without blanks', '9;id'],
  ['a command after a pipe', '9|id'],
  ['a command after an ampersand', '9&&id'],
  ['a command in parentheses', '9$(id)'],
  ['a command in backticks', '9`id`'],
  ['a variable', '$HOME'],
  ['a variable in braces', '$\u007bHOME}'],
  ['a variable of the pod', '$(SLIPWAY_POD_IP)'],
  ['a file to write', '9>/data/x'],
  ['a file to read', '9</data/x'],
  ['a comment', 'INFO #'],
  ['a single quote', "9'"],
  ['a double quote', '9"'],
  ['a backslash', '9\\'],
  ['a line feed', '9\nid'],
  ['a line feed at the end', '9\n'],
  ['a carriage return', '9\r'],
  ['a tab', '9\tid'],
  ['a blank at the end', '9 '],
  ['a NUL', '9\u0000'],
  ['a pattern of file names', '*'],
  ['a pattern with brackets', '[0-9]'],
  ['braces', '{1,2}'],
  ['a home folder', '~'],
  ['a history expansion', '!!'],
  ['a URL', 'http://x'],
  ['a path', '/etc/passwd'],
  ['a parent folder', '../9'],
  ['nothing', ''],
  ['a flag as a value', '--help'],
  ['a sign', '-1'],
  ['a plus', '+9'],
  ['another type', 'banana'],
  ['a point', '9.5'],
  ['an exponent', '9e3'],
  ['hexadecimal digits', '0x9'],
  ['an octal number', '011'],
  ['an underscore', '1_000'],
  ['too large a number', '99999999999999999999'],
  ['far too many digits', '9'.repeat(1_900)],
  ['digits of another script', '\u0669'],
  ['wide digits', '\uff19'],
  ['a minus of Unicode', '\u22129'],
  ['a soft hyphen', '9\u00ad'],
  ['a blank of Unicode', '9\u00a0'],
  ['a line separator of Unicode', '9\u2028id'],
  ['text that runs backwards', '\u202e9'],
];

describe.each(clients)('$name', (client) => {
  const { field, flag, toggle } = client;
  const path = `spec.chain.ethereum.participants[0].${field}`;
  const refusal = (subject: string) => [{ path, message: expect.stringContaining(`"${subject}"`) }];

  it.each(values)('refuses a value that is %s, and names the flag', (_reason, value) => {
    expect(refusalsOf(client, `${flag}=${quoted(value)}`)).toEqual(refusal(flag));
    const asWord = value.startsWith('-') ? [] : [refusalsOf(client, `${flag} ${quoted(value)}`)];
    for (const details of asWord) expect(details).toEqual(refusal(flag));
  });

  const name = flag.slice(2);
  const forms: [reason: string, line: string, subject: string][] = [
    ['one dash', `-${name}=9`, `-${name}`],
    ['one dash and a word', `-${name} 9`, `-${name}`],
    ['a switch with one dash', toggle.slice(1), toggle.slice(1)],
    ['three dashes', `-${flag}=9`, `-${flag}`],
    ['a long dash', `\u2014${name}=9`, `\\u2014${name}`],
    ['no dash', `${name}=9`, name],
    ['a flag in quotes', `${quoted(`${flag} `)}=9`, `${flag} `],
    ['other letters', `${flag.toUpperCase().replace(/^--(.)/, (all) => all.toLowerCase())}=9`, ''],
    ['a blank in the flag', `${quoted(`${flag} x=9`)}`, `${flag} x`],
    ['a flag that nobody has', '--no-such-flag=9', '--no-such-flag'],
    ['a flag of the network', '--datadir=x', '--datadir'],
    ['the end of flags', '-- 9', '--'],
    ['a dash', '-', '-'],
    ['a command', 'init', 'init'],
    ['a command after a value', `${flag}=9 init`, 'init'],
    ['a second value', `${flag} 9 9`, '9'],
    ['no value', flag, flag],
    ['a flag in the place of a value', `${flag} ${flag}=9`, flag],
    ['a value of a switch', `${toggle}=banana`, toggle],
    ['an empty value of a switch', `${toggle}=`, toggle],
    ['the same flag twice', `${flag}=9 ${flag}=8`, flag],
    ['the same flag twice in both forms', `${flag}=9 ${flag} 9`, flag],
  ];

  it.each(forms)('refuses %s, and names it', (_reason, line, subject) => {
    const expected =
      subject === '' ? [{ path, message: expect.stringContaining(' is not allowed') }] : refusal(subject);
    expect(refusalsOf(client, line)).toEqual(expected);
  });

  it.each([`${flag}=9`, `${flag} 9`, `${flag} '9'`, ` "${flag}"=9 `])('takes %s as one argument', (line) => {
    expect(refusalsOf(client, line)).toEqual([]);
    const participants = [{ ...client.participant, [field]: line }];
    const plan = driverOf('Ethereum')?.plan(inputOf({ participants }));
    const part = plan?.parts.find((one) => one.name === (field === 'elExtraArgs' ? 'el-1' : 'cl-1'));
    expect(part?.args.at(-1)).toBe(`${flag}=9`);
    expect(part?.args.at(-2)).toMatch(/^-/);
  });
});

it('a long refused argument is cut in the message', () => {
  const [client] = clients;
  const [detail] = client ? refusalsOf(client, `--${'x'.repeat(2_000)}`) : [];
  expect(detail?.message.length).toBeLessThan(2_000);
  expect(detail?.message).toMatch(/^"--x{61}…" is not allowed/);
});
