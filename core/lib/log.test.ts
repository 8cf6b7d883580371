import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

it('neither a message nor a field nor an added field shows an access key that an error quoted', () => {
  const url = 'http://x/rpc/uid-1/abcdefghijklmnopqrstuv_-/rpc';
  const program = `
    import { createLog } from ${JSON.stringify(join(import.meta.dirname, 'log.ts'))};
    createLog('test').with({ added: '${url}' }).warn('cannot call ${url}', { reason: 'refused: ${url}', times: 3 });
  `;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program]).toString();
  const redacted = 'http://x/rpc/uid-1/(redacted)/rpc';
  expect(JSON.parse(output)).toMatchObject({
    component: 'test',
    added: redacted,
    message: `cannot call ${redacted}`,
    reason: `refused: ${redacted}`,
    times: 3,
  });
});
