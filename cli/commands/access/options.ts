import { toRfc3339 } from '../../../core/lib/clock.ts';
import type { Context } from '../../lib/context.ts';
import type { Options } from '../../lib/options.ts';

export const roleOption = {
  flags: '--role <role>',
  text: 'Role in the workspace.',
  choices: ['owner', 'admin', 'developer', 'viewer'],
};

/** When what is created now expires, by `--expires-after`; undefined without it. */
export function expiry({ io }: Context, options: Options): string | undefined {
  const afterMs = options.durationMs('expiresAfter');
  return afterMs === undefined ? undefined : toRfc3339(io.clock.nowMs() + afterMs);
}
