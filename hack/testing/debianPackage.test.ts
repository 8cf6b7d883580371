import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useCommands } from './commands.ts';
import { findDebianPackage } from './debianPackage.ts';

/** An apt that has the package `tool` in the version that the file `version` says; it downloads nothing while `offline` exists. */
const apt = `#!/bin/sh
case "$1" in
  policy)
    echo "$2:"
    [ "$2" != tool ] || echo "  Candidate: $(cat "$FOLDER/version")"
    ;;
  download)
    echo "$2" >> "$FOLDER/calls"
    [ ! -e "$FOLDER/offline" ] || exit 100
    echo "$2" > tool.deb
    ;;
esac
`;
const dpkg = '#!/bin/sh\nmkdir -p "$3/usr/bin"\ncp "$2" "$3/usr/bin/tool"\n';

describe('the files of a Debian package', () => {
  const commands = useCommands();
  const offer = (version: string) => writeFileSync(join(commands.folder(), 'version'), version);
  const programOf = ({ root = '' }) => readFileSync(join(root, 'usr', 'bin', 'tool'), 'utf8').trim();
  const isMissing = (name: string) => ({
    problem: `${name} is taken from Debian's packages, and apt does not have it: run \`apt-get update\`, or use a machine with apt`,
  });
  beforeEach(() => {
    for (const name of ['apt-cache', 'apt-get']) commands.install(name, apt);
    commands.install('dpkg-deb', dpkg);
    offer('1:2.0-1');
  });

  it('are downloaded once, also when several tests begin at once', async () => {
    const found = await Promise.all([findDebianPackage('tool'), findDebianPackage('tool')]);
    expect(found.map(programOf)).toEqual(['tool=1:2.0-1', 'tool=1:2.0-1']);
    expect(commands.calls()).toBe('tool=1:2.0-1\n');
  });

  it('are those of the version that apt has now', async () => {
    await findDebianPackage('tool');
    offer('1:2.0-2');
    expect(programOf(await findDebianPackage('tool'))).toBe('tool=1:2.0-2');
  });

  it('a package that apt does not have: they are missing, with the reason', async () => {
    expect(await findDebianPackage('other')).toEqual(isMissing('other'));
    offer('(none)');
    expect(await findDebianPackage('tool')).toEqual(isMissing('tool'));
  });

  it('no apt on the machine: they are missing, with the reason', async () => {
    commands.install('apt-cache', '#!/bin/sh\nexit 127\n');
    expect(await findDebianPackage('tool')).toEqual(isMissing('tool'));
  });

  it('are not half there after a download that failed', async () => {
    writeFileSync(join(commands.folder(), 'offline'), '');
    await expect(findDebianPackage('tool')).rejects.toThrow(/apt-get download .*run `apt-get update`/s);
    expect(readdirSync(join(commands.folder(), 'slipway', 'debian'))).toEqual([]);
    expect(existsSync(join(commands.folder(), 'calls'))).toBe(true);
  });
});
