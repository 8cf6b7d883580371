import { missingPackages } from './packages.ts';

describe('missingPackages', () => {
  it('names each package once, for all of its commands', () => {
    const find = (command: string) =>
      command === 'ctr' || command === 'containerd' ? undefined : `/usr/bin/${command}`;
    expect(missingPackages(find, true)).toEqual(['containerd']);
  });

  it('names the plugins of the pod network, which are no command', () => {
    expect(missingPackages(() => '/usr/bin/any', false)).toEqual(['containernetworking-plugins']);
  });
});
