import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import { builtEngines, type HeavyEngine, heavyEngineNames } from '../up/heavyEngines.ts';

const folder = join(projectRoot, 'e2e', 'engines');

/** The engines that a test file needs, by the first prefix of its name here. Other files need all engines. */
const needs: Record<string, readonly HeavyEngine[]> = {
  ethereumPlugins: ['geth', 'prysm', 'prysm-validator', 'ethereum-genesis', 'postgres', 'graph', 'chainlink'],
  onDemand: ['geth', 'prysm', 'prysm-validator', 'ethereum-genesis'],
  ethereum: ['geth', 'prysm', 'prysm-validator', 'ethereum-genesis'],
  thorchain: ['thornode'],
  solanaReal: ['solana'],
  solana: ['solana-dev'],
  chainlink: ['postgres', 'chainlink'],
  vrfMpc: ['drand'],
  graph: ['postgres', 'graph'],
  layer2Optimism: ['op-geth', 'op-sequencer'],
  layer2Bnb: ['bsc'],
  layer2Avalanche: ['avalanchego'],
};

/** The test files of the "engines" suite, sorted by name. */
export function engineTests(): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .sort();
}

/** True for tests that run for minutes, such as those that wait for finality. */
function isLong(file: string): boolean {
  return file.endsWith('.long.test.ts');
}

/** The engines that a test file needs. */
export function enginesOf(file: string): readonly HeavyEngine[] {
  const family = Object.keys(needs).find((name) => file.startsWith(name));
  return (family && needs[family]) || heavyEngineNames;
}

/** The test files that `make test` skips, each with the reason. */
export function skippedTests(): Map<string, string> {
  const built = builtEngines();
  const reasons = engineTests().map((file): [string, string | undefined] => {
    const missing = enginesOf(file).filter((engine) => !built.includes(engine));
    return [
      file,
      missing.length > 0 ? `not built: ${missing.join(', ')}` : isLong(file) ? 'takes minutes' : undefined,
    ];
  });
  return new Map(reasons.flatMap(([file, reason]) => (reason === undefined ? [] : [[file, reason]])));
}
