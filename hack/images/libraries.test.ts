import { namedBaseImages } from './base.ts';
import { parseLdd } from './libraries.ts';

describe('parseLdd', () => {
  it('returns libraries and the loader, but not the vDSO', () => {
    const output = [
      '\tlinux-vdso.so.1 (0x00007f65df59c000)',
      '\tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f65df4a6000)',
      '\t/lib64/ld-linux-x86-64.so.2 (0x00007f65df59e000)',
    ].join('\n');
    expect(parseLdd(output)).toEqual(['/lib/x86_64-linux-gnu/libm.so.6', '/lib64/ld-linux-x86-64.so.2']);
  });

  it('returns nothing for a static program', () => {
    expect(parseLdd('\tnot a dynamic executable\n')).toEqual([]);
  });
});

describe('namedBaseImages', () => {
  it('finds our base images in Dockerfiles and build arguments', () => {
    expect(namedBaseImages(['FROM node:24-bookworm-slim', 'localhost/slipway/cc:12'])).toEqual([
      'localhost/slipway/cc:12',
    ]);
  });
});
