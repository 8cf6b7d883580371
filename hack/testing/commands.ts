import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestCommands {
  /** Where the scripts find `$FOLDER`, and the tested code its cache. */
  folder(): string;
  /** Adds a command, which goes before the machine's of that name. */
  install(name: string, script: string): void;
  /** What the scripts wrote to `$FOLDER/calls`. */
  calls(): string;
}

/** A new folder with commands for each test of the file or `describe`. The environment is afterwards what it was. */
export function useCommands(): TestCommands {
  const before = { ...process.env };
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-commands-'));
    mkdirSync(join(folder, 'commands'));
    const PATH = `${join(folder, 'commands')}:/usr/bin:/bin`;
    Object.assign(process.env, { PATH, XDG_CACHE_HOME: folder, FOLDER: folder });
  });
  afterEach(() => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
    rmSync(folder, { recursive: true });
  });
  return {
    folder: () => folder,
    install: (name, script) => writeFileSync(join(folder, 'commands', name), script, { mode: 0o755 }),
    calls: () => readFileSync(join(folder, 'calls'), 'utf8'),
  };
}
