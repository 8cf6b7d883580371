import { statSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';

/** Files that take longest, however short they are: they mostly wait. One that begins last keeps a suite from ending. */
export const longest: readonly string[] = [
  'hack/features/removal.test.ts',
  'features/verification/compilers/compilers.test.ts',
  'hack/patterns/patterns.test.ts',
  'core/chains/evm/firstBlock.chain.test.ts',
  'core/chains/evm/crash.chain.test.ts',
  'operator/token/crossChain.int.test.ts',
  'operator/plugin/plugins.int.test.ts',
  'operator/recording/recording.int.test.ts',
  'apiserver/outage.int.test.ts',
  'operator/layerzero/layerzero.int.test.ts',
  'apiserver/secrets/atRest.int.test.ts',
  'hack/backup/restore.int.test.ts',
  'operator/network/crash.int.test.ts',
  'test/integration/exactlyOnce.int.test.ts',
  'hack/chart/policies.int.test.ts',
  'hack/release/publish.int.test.ts',
  'e2e/schemathesis.test.ts',
  'e2e/attacks/requests.test.ts',
  'e2e/controls.test.ts',
  'e2e/clients.test.ts',
  'e2e/documents.test.ts',
  'e2e/plugins/examples.test.ts',
  'e2e/lifecycle.test.ts',
  'e2e/cli.test.ts',
  'e2e/consoleLoading.test.ts',
].map((file) => join(projectRoot, file));

interface TestFile {
  path: string;
}

/** The part of jest's interface that is used here. */
interface Sequencer {
  sort<T extends TestFile>(tests: readonly T[]): T[];
  allFailedTests(): TestFile[];
  cacheResults(): void;
}

/** The order of a suite's files: those that take longest first, so that its workers end at about the same time. */
export default function createSequencer(): Sequencer {
  return { sort: inOrder, allFailedTests: () => [], cacheResults: () => undefined };
}

function inOrder<T extends TestFile>(tests: readonly T[]): T[] {
  const placed = tests.map((test) => ({ test, place: placeOf(test.path), size: statSync(test.path).size }));
  return placed
    .sort((one, other) => one.place - other.place || other.size - one.size)
    .map(({ test }) => test);
}

function placeOf(path: string): number {
  const place = longest.indexOf(path);
  return place < 0 ? longest.length : place;
}
