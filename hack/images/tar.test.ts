import { execFileSync } from 'node:child_process';
import { createArchive } from './archive.ts';
import { idFromManifest } from './store.ts';
import { createTar, withParents } from './tar.ts';

const file = (path: string, text: string) => ({ path, content: Buffer.from(text) });

describe('createTar', () => {
  it('writes folders, files, links and permissions that tar can read', () => {
    const entries = [
      { path: '/tmp', mode: 0o1777 },
      file('/etc/hosts', 'here'),
      { path: '/lib', linkTo: 'usr/lib' },
    ];
    const listing = execFileSync('tar', ['-tv'], {
      input: createTar(withParents(entries)),
      encoding: 'utf8',
    });
    expect(listing).toMatch(/^drwxr-xr-x 0\/0 .* etc\/$/m);
    expect(listing).toMatch(/^-rw-r--r-- 0\/0 +4 .* etc\/hosts$/m);
    expect(listing).toMatch(/^l.* lib -> usr\/lib$/m);
    expect(listing).toMatch(/^drwxrwxrwt 0\/0 .* tmp\/$/m);
  });

  it('keeps the content of a file', () => {
    const input = createTar([file('/a', 'x'.repeat(1000))]);
    expect(execFileSync('tar', ['-xO', 'a'], { input }).length).toBe(1000);
  });

  it('rejects a path that is too long for the format', () => {
    expect(() => createTar([file(`/${'x'.repeat(101)}`, '')])).toThrow('too long');
  });
});

describe('withParents', () => {
  it('adds each missing folder once, before its content', () => {
    const paths = withParents([file('/a/b/c', ''), file('/a/d', '')]).map((entry) => entry.path);
    expect(paths).toEqual(['/a', '/a/b', '/a/b/c', '/a/d']);
  });
});

describe('createArchive', () => {
  it('is reproducible and returns the id that its manifest names', () => {
    const make = () => createArchive('localhost/x:1', [file('/x', 'x')], { entrypoint: ['/x'] });
    const manifest = execFileSync('tar', ['-xO', 'manifest.json'], { input: make().tar, encoding: 'utf8' });
    expect(make().tar.equals(make().tar)).toBe(true);
    expect(idFromManifest(manifest)).toBe(make().id);
    expect(JSON.parse(manifest)[0].RepoTags).toEqual(['localhost/x:1']);
  });
});
