import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const fileAt = (path: string) => JSON.stringify(join(import.meta.dirname, path));

it('each line of the log within a span names its trace, and no other line does', () => {
  const program = `
    import { createLog } from ${fileAt('../lib/log.ts')};
    import { currentTrace, withinSpan } from ${fileAt('spans.ts')};
    const log = createLog('test', 'info', currentTrace);
    const context = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled: true };
    const span = { context, set() {}, fail() {}, end() {} };
    log.info('before');
    await withinSpan({}, span, async () => log.with({ own: 1 }).warn('within'));
    log.info('after');
  `;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program]).toString();
  const lines = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toEqual([
    expect.objectContaining({ message: 'before' }),
    expect.objectContaining({
      message: 'within',
      own: 1,
      component: 'test',
      trace_id: 'a'.repeat(32),
      span_id: 'b'.repeat(16),
      trace_flags: '01',
    }),
    expect.objectContaining({ message: 'after' }),
  ]);
  expect(lines[0]).not.toHaveProperty('trace_id');
  expect(lines[2]).not.toHaveProperty('trace_id');
});
