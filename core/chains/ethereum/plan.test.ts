import { clTypes, elTypes } from '../../api/resources/chainSpecs.ts';
import { driverOf } from '../registry.ts';
import { enodeIdOf, peerIdOf } from './nodeKeys.ts';
import { inputOf } from './testing/planInput.ts';

const driver = driverOf('Ethereum');

function planOf(...args: Parameters<typeof inputOf>) {
  const plan = driver?.plan(inputOf(...args));
  if (!plan) throw new Error('Ethereum has no driver');
  return plan;
}

const partOf = (plan: ReturnType<typeof planOf>, name: string) => {
  const part = plan.parts.find((candidate) => candidate.name === name);
  if (!part) throw new Error(`part ${name} does not exist`);
  return part;
};

describe('a network with participants', () => {
  it('has three parts for each of them', () => {
    const { parts, services } = planOf({ participants: [{ count: 2 }, { clType: 'teku' }] });
    const names = [1, 2, 3].flatMap((number) => [`el-${number}`, `cl-${number}`, `vc-${number}`]);
    expect(parts.map(({ name }) => name)).toEqual(names);
    expect(Object.keys(services)).toEqual(['rpc', 'ws', 'el-1', 'cl-1', 'el-2', 'cl-2', 'el-3', 'cl-3']);
  });

  it('distributes the validators evenly', () => {
    const plan = planOf({ participants: [{ count: 3 }], validatorCount: 100 });
    const shares = [1, 2, 3].map((number) => partOf(plan, `vc-${number}`).init?.[0]?.args.slice(3, 7));
    expect(shares).toEqual([
      ['--first', '0', '--count', '34'],
      ['--first', '34', '--count', '33'],
      ['--first', '67', '--count', '33'],
    ]);
  });

  it('puts every parameter into its genesis', () => {
    const plan = planOf({
      blockTime: 3,
      gasLimit: 77,
      churnLimitQuotient: 11,
      ejectionBalance: 22,
      followDistance: 33,
      minWithdrawalDelay: 44,
      shardCommitteePeriod: 55,
      validatorCount: 66,
    });
    const files = partOf(plan, 'cl-1').files;
    const config = (files['/etc/slipway/network/config.yaml'] ?? '').split('\n');
    for (const line of [
      'SECONDS_PER_SLOT: 3',
      'CHURN_LIMIT_QUOTIENT: 11',
      'EJECTION_BALANCE: 22',
      'ETH1_FOLLOW_DISTANCE: 33',
      'MIN_VALIDATOR_WITHDRAWABILITY_DELAY: 44',
      'SHARD_COMMITTEE_PERIOD: 55',
      'MIN_GENESIS_ACTIVE_VALIDATOR_COUNT: 66',
      'MIN_GENESIS_TIME: 1900000000',
      'DEPOSIT_CHAIN_ID: 1100000001',
    ]) {
      expect(config).toContain(line);
    }
    const genesis = JSON.parse(files['/etc/slipway/genesis.json'] ?? '');
    expect(genesis).toMatchObject({ gasLimit: '0x4d', timestamp: '0x713fb300' });
    expect(genesis.config).toMatchObject({ chainId: 1_100_000_001, pragueTime: 1_900_000_000 });
  });

  it('funds the hot key and the accounts of the mnemonic', () => {
    const mnemonicAddresses = ['0x00000000000000000000000000000000000000C1'];
    const plan = planOf({}, { mnemonicAddresses });
    const { alloc } = JSON.parse(partOf(plan, 'el-1').files['/etc/slipway/genesis.json'] ?? '');
    expect(BigInt(alloc['0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'].balance)).toBe(10n ** 24n);
    expect(BigInt(alloc['0x00000000000000000000000000000000000000C1'].balance)).toBe(10n ** 22n);
  });

  it('funds the default keys of the members, and no key twice', () => {
    const member = '0x00000000000000000000000000000000000000D1';
    const hotKey = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
    const plan = planOf({ participants: [{ count: 2 }] }, { memberAddresses: [member, hotKey] });
    const [genesis, ...others] = ['el-1', 'cl-1', 'el-2', 'cl-2'].map(
      (name) => partOf(plan, name).files['/etc/slipway/genesis.json'],
    );
    const { alloc } = JSON.parse(genesis ?? '');
    expect(BigInt(alloc[member].balance)).toBe(10n ** 22n);
    expect(BigInt(alloc[hotKey].balance)).toBe(10n ** 24n);
    expect(new Set(others)).toEqual(new Set([genesis]));
  });

  it('keeps secrets in files: no argument, variable or file contains one', () => {
    const plan = planOf({ participants: [{ count: 2 }] }, { validatorKey: 'ab'.repeat(32) });
    const { secrets = {}, ...rest } = plan;
    expect(secrets.validators).toBe('ab'.repeat(32));
    expect(secrets['jwt-1']).not.toBe(secrets['jwt-2']);
    for (const value of Object.values(secrets)) expect(JSON.stringify(rest)).not.toContain(value);
  });

  it('gives the key above all validators only to the programs that prepare the chain', () => {
    const { parts } = planOf({});
    for (const part of parts) expect(Object.values(part.secretFiles ?? {})).not.toContain('validators');
    const steps = parts.flatMap(({ init = [] }) => init);
    expect(steps.map(({ engine }) => engine)).toEqual(['ethereum-genesis', 'ethereum-genesis']);
  });

  it('connects each node to the others by name', () => {
    const { secrets = {}, ...plan } = planOf({ participants: [{ count: 2 }] });
    const toml = partOf({ ...plan, secrets }, 'el-2').files['/etc/slipway/geth.toml'];
    expect(toml).toContain(`enode://${enodeIdOf(secrets['el-1'] ?? '')}@net-el-1-0123456789:30303`);
    const peer = `--peer=/dns4/net-cl-1-0123456789/tcp/13000/p2p/${peerIdOf(secrets['cl-1'] ?? '')}`;
    expect(partOf(plan, 'cl-2').args).toContain(peer);
    expect(partOf(plan, 'cl-1').args.join(' ')).not.toContain('net-cl-1');
  });

  it('puts extra arguments last, in one form, and uses named images', () => {
    const elExtraArgs = "--cache '64' --txpool.nolocals";
    const participants = [{ elExtraArgs, clImage: 'prysm:2', elImage: 'geth:2' }];
    const plan = planOf({ participants });
    expect(partOf(plan, 'el-1')).toMatchObject({ image: 'geth:2' });
    expect(partOf(plan, 'el-1').args.slice(-2)).toEqual(['--cache=64', '--txpool.nolocals=true']);
    expect(partOf(plan, 'cl-1').image).toBe('prysm:2');
    expect(plan.preparation?.programs.map(({ engine, image }) => [engine, image])).toEqual([
      ['ethereum-genesis', undefined],
      ['geth', 'geth:2'],
      ['prysm', 'prysm:2'],
      ['prysm-validator', undefined],
    ]);
  });

  it('is not planned with extra arguments that a client may not have', () => {
    const plan = () => planOf({ participants: [{}, { clExtraArgs: '--datadir=/x' }] });
    expect(plan).toThrow('extra arguments: "--datadir" is not allowed');
  });

  it("starts besu without its image's entry point, which passes arguments through a shell", () => {
    const plan = planOf({ participants: [{ elType: 'besu' }] });
    const command = ['/opt/besu/bin/besu'];
    expect(partOf(plan, 'el-1').command).toEqual(command);
    const probes = plan.preparation?.programs.filter(({ engine }) => engine === 'besu');
    expect(probes).toMatchObject([{ command, args: ['--version'] }]);
  });

  it('pulls each image once', () => {
    const { preparation } = planOf({ participants: [{ count: 3 }, { elType: 'reth' }] });
    const engines = preparation?.programs.map(({ engine }) => engine);
    expect(engines).toEqual(['ethereum-genesis', 'geth', 'prysm', 'prysm-validator', 'reth']);
  });
});

describe('node ids', () => {
  // The key 1, whose public key is the generator of secp256k1.
  const key = `${'0'.repeat(63)}1`;
  it('are public keys for execution clients', () => {
    expect(enodeIdOf(key)).toMatch(
      /^79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada77/,
    );
  });
  it('are peer ids for consensus clients', () => {
    expect(peerIdOf(key)).toMatch(/^16Uiu2HA[1-9A-HJ-NP-Za-km-z]{45}$/);
  });
});

describe('each client as it is started', () => {
  it.each(elTypes)('execution: %s', (elType) => {
    const plan = planOf({ participants: [{ elType }, {}] });
    const { files, ...part } = partOf(plan, 'el-1');
    expect({ ...part, files: Object.keys(files) }).toMatchSnapshot();
  });

  it.each(clTypes)('consensus: %s', (clType) => {
    const plan = planOf({ participants: [{ clType }, {}] });
    const parts = plan.parts.filter(({ name }) => name === 'cl-1' || name === 'vc-1');
    expect(parts.map(({ files, ...part }) => ({ ...part, files: Object.keys(files) }))).toMatchSnapshot();
  });
});
