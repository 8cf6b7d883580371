import { parseImages } from './containers.ts';

describe('parseImages', () => {
  it('reads names and digests, and leaves out the names that containerd derives from others', () => {
    const listed = [
      'REF TYPE DIGEST SIZE PLATFORMS LABELS',
      'localhost/slipway/pause:1 application/vnd.oci.image.manifest.v1+json sha256:aa 1.0 MiB linux/amd64 io.cri-containerd.image=managed',
      'sha256:bb application/vnd.oci.image.manifest.v1+json sha256:aa 1.0 MiB linux/amd64 -',
      '',
    ].join('\n');
    expect([...parseImages(listed)]).toEqual([['localhost/slipway/pause:1', 'sha256:aa']]);
  });
});
