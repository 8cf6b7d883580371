import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { persistentVariable } from '../driver.ts';

const entryPoint = join(import.meta.dirname, '..', '..', '..', 'engines', 'evm-dev', 'entrypoint.sh');
/** What anvil writes last, to the file that is its fourth argument. */
const dump = `echo '{"historical_states":null}' > "$4"`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-entrypoint-'));
  mkdirSync(join(folder, 'data'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a program in place of anvil, which does this when it is asked to end, and asks for that. Resolves with the exit code. */
async function exitCodeOf(ending: string, env: Record<string, string> = {}): Promise<unknown> {
  const program = `#!/bin/sh\ntrap '${ending.replaceAll("'", `'"'"'`)}' TERM\necho ready\nwhile :; do sleep 0.05; done\n`;
  writeFileSync(join(folder, 'anvil'), program);
  chmodSync(join(folder, 'anvil'), 0o755);
  writeFileSync(join(folder, 'state.json'), '{}');
  const script = spawn('/bin/sh', [entryPoint], {
    env: {
      PATH: `${folder}:/usr/bin:/bin`,
      HOME: folder,
      DATA: join(folder, 'data'),
      FIRST_STATE: join(folder, 'state.json'),
      ...env,
    },
  });
  const ended = once(script, 'exit');
  await once(script.stdout, 'data');
  script.kill('SIGTERM');
  const [code] = await ended;
  return code;
}

it.each<[string, string, Record<string, string>, number]>([
  ['a chain that is saved: the end is clean', `${dump}; exit 0`, {}, 0],
  ['a chain that cannot be saved, as on a full disk: the end is not clean', 'exit 0', {}, 1],
  ['an engine that fails: its own code', 'exit 9', {}, 9],
  [
    'a persistent chain, of which the last state that was saved is left',
    'exit 0',
    { [persistentVariable]: '1' },
    0,
  ],
])('how the engine ends says whether its chain is saved: %s', async (_case, ending, env, code) => {
  expect(await exitCodeOf(ending, env)).toBe(code);
});

describe('a dump with the states of earlier blocks', () => {
  const states = '{"blocks":[],"historical_states":[["0x1",{"accounts":{}}]]}';
  const saved = () => {
    const [name = ''] = readdirSync(join(folder, 'data')).filter((one) => one.startsWith('chain.'));
    return name && readFileSync(join(folder, 'data', name), 'utf8').trim();
  };
  const dumped = (text: string) => `printf %s '${text}' > "$4"; exit 0`;

  it('is saved as it is', async () => {
    expect(await exitCodeOf(dumped(states))).toBe(0);
    expect(saved()).toBe(states);
  });

  it('is saved without them when it is too large', async () => {
    expect(await exitCodeOf(dumped(states), { MOST_HISTORY: '10' })).toBe(0);
    expect(saved()).toBe('{"blocks":[],"historical_states":null}');
  });

  it('is not taken for a chain when it is cut off, wherever that is', async () => {
    expect(await exitCodeOf(dumped(states.slice(0, -1)))).toBe(1);
    expect(await exitCodeOf(dumped('{"blocks":[],"historical_states":[[]}'.slice(0, -1)))).toBe(1);
    expect(saved()).toBe('');
  });
});

it('the oldest states of earlier blocks go when there are too many bytes of them, whether the chain is persistent or not', async () => {
  for (const env of [{}, { [persistentVariable]: '1' }]) {
    const states = join(folder, '.foundry', 'anvil', 'tmp', 'anvil-state');
    const write = [1, 2, 3, 4].map((day) => `printf 12345 > ${day}; touch -d 2030-01-0${day} ${day}`);
    // The engine ends once something is gone, so that nobody has to wait for it.
    const wait = 'while [ -e 1 ] || [ -e 2 ]; do sleep 0.05; done';
    writeFileSync(
      join(folder, 'anvil'),
      `#!/bin/sh\nmkdir -p ${states}; cd ${states}; ${write.join('; ')}; ${wait}; exit 0\n`,
    );
    chmodSync(join(folder, 'anvil'), 0o755);
    writeFileSync(join(folder, 'state.json'), '{}');
    const script = spawn('/bin/sh', [entryPoint], {
      env: {
        PATH: `${folder}:/usr/bin:/bin`,
        HOME: folder,
        DATA: join(folder, 'data'),
        FIRST_STATE: join(folder, 'state.json'),
        MOST_STATES: '10',
        ...env,
      },
    });
    await once(script, 'exit');
    expect(readdirSync(states).sort()).toEqual(['3', '4']);
  }
});
