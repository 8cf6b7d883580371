import { relative } from 'node:path';
import { formatDuration } from '../lib/format.ts';
import { projectRoot } from '../lib/paths.ts';

/** Only what hangs is to end by it: a busy machine is slow. */
const fileLimitMs = 20 * 60_000;
const shownFiles = 10;

interface TestFile {
  path: string;
}

interface TestFileResult {
  perfStats: { start: number; end: number };
}

interface FileTime extends TestFile {
  ms: number;
}

/** The part of jest's interface that is used here. */
interface Reporter {
  onTestFileStart(file: TestFile): void;
  onTestFileResult(file: TestFile, result: TestFileResult): void;
  onRunComplete(): void;
}

/**
 * Prints the slowest files of a run, and ends a run in which a file hangs: the runner has no limits of its own. jest makes it
 * from its configuration.
 */
export default function createReporter(): Reporter {
  const running = new Map<string, NodeJS.Timeout>();
  const times: FileTime[] = [];
  return {
    onTestFileStart({ path }) {
      const end = setTimeout(() => giveUp(path), fileLimitMs);
      running.set(path, end.unref());
    },
    onTestFileResult({ path }, { perfStats }) {
      clearTimeout(running.get(path));
      running.delete(path);
      times.push({ path, ms: perfStats.end - perfStats.start });
    },
    onRunComplete() {
      for (const line of slowest(times)) console.error(line);
    },
  };
}

function giveUp(path: string): void {
  console.error(
    `${relative(projectRoot, path)} has not ended after ${formatDuration(fileLimitMs)}: it hangs`,
  );
  process.exit(1);
}

/** Lines with the slowest files. */
export function slowest(times: readonly FileTime[]): string[] {
  const sorted = [...times].sort((one, other) => other.ms - one.ms).slice(0, shownFiles);
  if (sorted.length < 2) return [];
  const lines = sorted.map(
    ({ path, ms }) => `  ${formatDuration(ms).padStart(12)}  ${relative(projectRoot, path)}`,
  );
  return ['', 'Slowest files:', ...lines];
}
