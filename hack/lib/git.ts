import { tryRun } from './run.ts';

export type Git = (...args: string[]) => Promise<string | undefined>;

/** Runs git in a folder; undefined when it fails. */
export function gitIn(cwd: string): Git {
  return async (...args) => {
    const { code, stdout } = await tryRun('git', args, { cwd });
    return code === 0 ? stdout.trim() : undefined;
  };
}
