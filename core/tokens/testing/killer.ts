import type { Hook, KillPoint } from './networks.ts';

export const killPoints: readonly KillPoint[] = ['before send', 'after send', 'before save', 'after save'];

export interface Killer {
  hook: Hook;
  hasKilled: boolean;
}

/** Kills a process when it reaches `point` for the `count`th time: from then on, nothing it does takes effect. */
export function createKiller(point: KillPoint, count: number): Killer {
  let left = count;
  const killer: Killer = {
    hasKilled: false,
    hook(reached) {
      if (!killer.hasKilled && reached !== point) return;
      left -= 1;
      if (!killer.hasKilled && left > 0) return;
      killer.hasKilled = true;
      throw new Error(`killed ${point}`);
    },
  };
  return killer;
}
