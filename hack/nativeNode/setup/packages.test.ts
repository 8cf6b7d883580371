import { missingPackages } from './packages.ts';

describe('missingPackages', () => {
  it('lists a package once, even when several of its commands are missing', () => {
    const find = (command: string) =>
      command === 'ctr' || command === 'containerd' ? undefined : `/usr/bin/${command}`;
    expect(missingPackages(find, true)).toEqual(['containerd']);
  });

  it('lists the CNI plugins, which are not commands', () => {
    expect(missingPackages(() => '/usr/bin/any', false)).toEqual(['containernetworking-plugins']);
  });
});
