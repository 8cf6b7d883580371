import { chainTypes } from '../../api/resources/chainSpecs.ts';
import type { ChainSpec } from '../../api/resources/network.ts';
import { aSetOf } from '../../engines/testing/engineSets.ts';
import type { ChainDriver, EnginePlan, PlanInput, Program } from '../driver.ts';
import { forkUrlVariable } from '../driver.ts';
import type { SystemContracts } from '../systemContracts.ts';
import { planContext } from './planContext.ts';
import { scriptsOf } from './scripts.ts';

export interface DriverCase {
  driver: ChainDriver;
  /** A valid spec of the type. */
  chain: ChainSpec;
  hotAddress: string;
  systemContracts: SystemContracts;
  /** Whether the engine is the real client, so that it has no caveats. */
  isFaithful: boolean;
  /** At which blocks the family can be forked; a spec with another block is refused. */
  forks: 'anyBlock' | 'latest' | 'never';
  /** Ids of the family's public networks, which are refused to networks that are not forks. */
  publicChainIds: readonly string[];
}

const seeds = ['00000000aa', '7fffffffbb', 'ffffffffcc', '0123456789', 'fedcba9876'];

/** What every chain driver must do, without a cluster and without an engine. */
export function describeDriver(subject: DriverCase): void {
  describePlan(subject);
  describeForks(subject);
  describeChainIds(subject);
}

function inputOf({ driver, chain, hotAddress, systemContracts }: DriverCase): PlanInput {
  const chainId = driver.generateChainId(seeds[0] ?? '');
  return { chain, chainId, hotAddress, mnemonicAddresses: [], systemContracts, ...planContext };
}

function describePlan(subject: DriverCase): void {
  const plan = subject.driver.plan(inputOf(subject));

  it('plans the same for the same input', () => {
    expect(subject.driver.plan(inputOf(subject))).toEqual(plan);
  });

  it('names parts and ports by the rules for Kubernetes container and port names', () => {
    const names = plan.parts.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]([-a-z0-9]{0,18}[a-z0-9])?$/);
    for (const { ports } of plan.parts) {
      for (const name of Object.keys(ports)) expect(name).toMatch(/^[a-z]([-a-z0-9]{0,13}[a-z0-9])?$/);
      for (const port of Object.values(ports)) expect(port).toBeGreaterThan(1023);
    }
  });

  it('has a ready port in each part, and a port of a part behind each service', () => {
    for (const { ports, readyPort } of plan.parts) expect(ports).toHaveProperty(readyPort);
    expect(plan.services).toHaveProperty('rpc');
    for (const { part, port } of Object.values(plan.services)) {
      expect(plan.parts.find(({ name }) => name === part)?.ports).toHaveProperty(port);
    }
  });

  it('runs exactly the engines that it says it needs, each for a member of the spec', () => {
    const needs = subject.driver.engines(subject.chain);
    const programs = [...programsOf(plan), ...(plan.preparation?.programs ?? [])];
    expect(new Set(needs.map(({ engine }) => engine))).toEqual(new Set(programs.map(({ engine }) => engine)));
    for (const { path } of needs) expect(path).toMatch(/^spec\.chain\.(type$|[a-z]+\.[a-z])/);
  });

  it('has files with absolute paths, small enough for a ConfigMap', () => {
    for (const { files } of plan.parts) {
      for (const path of Object.keys(files)) expect(path).toMatch(/^\/etc\//);
      expect(Buffer.byteLength(Object.values(files).join(''))).toBeLessThan(200_000);
    }
  });

  it('runs the same scripts in every network, so that no shell reads what a user wrote', () => {
    const { hotAddress: _omitted, ...input } = inputOf(subject);
    const chainId = subject.driver.generateChainId(seeds[1] ?? '');
    const other = subject.driver.plan({ ...input, chainId, genesisTime: 1_900_000_000 });
    expect(textOf(other)).not.toEqual(textOf(plan));
    expect(scriptsOf(other.parts)).toEqual(scriptsOf(plan.parts));
  });

  it('derives addresses from keys, and has secrets only in the files of programs', () => {
    expect(textOf(plan)).toContain(subject.hotAddress);
    const { secrets = {}, ...rest } = plan;
    for (const value of Object.values(secrets)) expect(JSON.stringify(rest)).not.toContain(value);
    const mounted = programsOf(plan).flatMap(({ secretFiles = {} }) => Object.entries(secretFiles));
    for (const [path, secret] of mounted) {
      expect(path).toMatch(/^\/etc\//);
      expect(secrets).toHaveProperty([secret]);
    }
    expect(new Set(mounted.map(([, secret]) => secret))).toEqual(new Set(Object.keys(secrets)));
    if (Object.keys(secrets).length > 0) return;
    for (const { args } of plan.parts) expect(args.join(' ')).not.toMatch(/mnemonic|private|key|seed/i);
  });

  it('reaches other parts by their hosts', () => {
    const hosts = new Set(plan.parts.map(({ name }) => planContext.hostOf(name)));
    const called = textOf(plan).match(/net-[a-z]+(-\d+)?-0123456789/g) ?? [];
    for (const host of called) expect(hosts).toContain(host);
  });

  it('fixes the genesis time once all images of its parts have been started', () => {
    if (!plan.preparation) return expect(inputOf(subject)).not.toHaveProperty('genesisTime');
    const images = (programs: readonly Program[]) =>
      new Set(programs.map(({ engine, image = '' }) => `${engine} ${image}`));
    expect(images(plan.preparation.programs)).toEqual(images(programsOf(plan)));
    const later = subject.driver.plan({ ...inputOf(subject), genesisTime: 1_900_000_000 });
    expect(later.preparation).toEqual(plan.preparation);
    // Geth's genesis has it in hexadecimal.
    expect(textOf(later)).toMatch(/1900000000|0x713fb300/);
  });

  it('lists in short clauses what the engine does not reproduce', () => {
    if (subject.isFaithful) expect(plan.caveats).toEqual([]);
    if (!subject.isFaithful) expect(plan.caveats.length).toBeGreaterThan(0);
    for (const caveat of plan.caveats) expect(caveat).toMatch(/^[^;\n]{5,140}$/);
  });
}

/** The forks that a family supports, by the heights that its specs may name. */
const heights = { anyBlock: ['latest', '1234567'], latest: ['latest'], never: [] } as const;

function describeForks(subject: DriverCase): void {
  const variable = `$(${forkUrlVariable})`;
  const possible: readonly string[] = heights[subject.forks];
  const { member } = chainTypes[subject.chain.type];
  const engines = aSetOf(
    Object.fromEntries(subject.driver.engines(subject.chain).map(({ engine }) => [engine, {}])),
  );
  const refusalOf = (blockHeight: string) => {
    const forking = { enabled: true, blockHeight };
    const chain = { ...subject.chain, [member]: { ...subject.chain[member], forking } };
    return subject.driver.refuse?.(chain, engines) ?? [];
  };

  it('can be run, with its engines', () => {
    expect(subject.driver.refuse?.(subject.chain, engines) ?? []).toEqual([]);
  });

  it.each(heights.anyBlock)('forks from the source in the environment at %s, or says why it cannot', (at) => {
    if (!possible.includes(at)) {
      const path = expect.stringContaining(`spec.chain.${member}.forking`);
      return expect(refusalOf(at)).toEqual([{ path, message: expect.stringMatching(/[Oo]mit it/) }]);
    }
    expect(refusalOf(at)).toEqual([]);
    const plan = textOf(subject.driver.plan({ ...inputOf(subject), fork: { blockHeight: at } }));
    expect(plan).toContain(variable);
    if (at !== 'latest') expect(plan).toContain(at);
  });

  it('has no source when it is not a fork', () => {
    expect(textOf(subject.driver.plan(inputOf(subject)))).not.toContain(variable);
  });
}

function describeChainIds({ driver, publicChainIds }: DriverCase): void {
  it('generates the same chain id for the same seed, and others for others', () => {
    const ids = seeds.map((seed) => driver.generateChainId(seed));
    expect(seeds.map((seed) => driver.generateChainId(seed))).toEqual(ids);
    expect(new Set(ids).size).toBe(seeds.length);
  });

  it('generates no chain id that it refuses', () => {
    for (const seed of seeds) {
      expect(driver.refuseChainId(driver.generateChainId(seed), false)).toBeUndefined();
    }
  });

  it('leaves ids of public networks to forks', () => {
    for (const id of publicChainIds) {
      expect(driver.refuseChainId(id, false)).toMatch(new RegExp(`\\b${id}\\b.*only a fork`));
      expect(driver.refuseChainId(id, true)).toBeUndefined();
    }
  });
}

function programsOf({ parts }: EnginePlan): Program[] {
  return parts.flatMap((part) => [part, ...(part.init ?? [])]);
}

function textOf(plan: EnginePlan): string {
  return JSON.stringify(plan.parts);
}
