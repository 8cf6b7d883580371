import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useCommands } from '../testing/commands.ts';
import { buildCrate } from './cargo.ts';
import { catalogue } from './catalogue.ts';

/** A cargo that makes the program which it is asked for, and notes its arguments; it fails while `broken` exists. */
const fakeCargo = `#!/bin/sh
echo "$*" >> "$FOLDER/calls"
mkdir -p "$CARGO_TARGET_DIR/release"
echo part > "$CARGO_TARGET_DIR/part"
[ ! -e "$FOLDER/broken" ] || exit 1
root=
while [ $# -gt 0 ]; do
  [ "$1" = --root ] && root="$2"
  [ "$1" = --bin ] && bin="$2"
  shift
done
target="\${root:+$root/bin}"
target="\${target:-$CARGO_TARGET_DIR/release}"
mkdir -p "$target"
echo program > "$target/$bin"
`;

describe('building with cargo', () => {
  const commands = useCommands();
  beforeEach(() => {
    commands.install('cargo', fakeCargo);
    mkdirSync(join(commands.folder(), 'draft'));
  });

  const build = (name: 'solana-dev' | 'solana-test-validator') =>
    buildCrate(catalogue[name], {
      name,
      path: join(commands.folder(), 'draft', name),
      note: () => undefined,
    });
  const built = (name: string) => readFileSync(join(commands.folder(), 'draft', name), 'utf8');
  const compiled = (name: string) => existsSync(join(commands.folder(), 'slipway', 'cargo', name, 'part'));

  it('our own crate is built from its lock file, and what was compiled stays for the next change', async () => {
    await build('solana-dev');
    expect(built('solana-dev')).toBe('program\n');
    expect(commands.calls()).toMatch(
      /^build --release --locked .*engines\/solana-dev\/Cargo\.toml --bin solana-dev$/m,
    );
    expect(compiled('solana-dev')).toBe(true);
  });

  it('a published crate is built from its own lock file, and leaves only the program', async () => {
    await build('solana-test-validator');
    expect(built('solana-test-validator')).toBe('program\n');
    expect(commands.calls()).toContain('agave-validator@3.1.12');
    expect(compiled('agave-validator-v3.1.12')).toBe(false);
  });

  it.each([
    ['solana-dev', 'solana-dev'],
    ['solana-test-validator', 'agave-validator-v3.1.12'],
  ] as const)('a build of %s that failed keeps what was compiled', async (name, kept) => {
    writeFileSync(join(commands.folder(), 'broken'), '');
    await expect(build(name)).rejects.toThrow(/apt-get install .*then run the command again/);
    expect(compiled(kept)).toBe(true);
  });
});
