import { partsOfImage, sbomOf } from './sbom.ts';
import { testRelease } from './testing/archives.ts';

describe('what is in an image', () => {
  it.each([
    ['a program of Go', 'geth', 'pkg:golang/github.com/ethereum/go-ethereum/cmd/geth@v1.16.9'],
    ['a program of Rust', 'solana', 'pkg:cargo/agave-validator@3.1.12'],
    ['a program in a package of npm', 'graph', 'pkg:npm/%40graphprotocol/gnd-linux-x64@0.45.0'],
    ['packages of Debian', 'postgres', 'pkg:deb/debian/postgresql-15?distro=bookworm'],
    ['anvil', 'evm-dev', expect.stringMatching(/^pkg:npm\/%40foundry-rs\/anvil@1\./)],
  ] as const)('is its base and %s', (_what, image, purl) => {
    const [base, ...others] = partsOfImage(image);
    expect(base?.purl).toMatch(/^pkg:docker\/(node|debian)@sha256:[0-9a-f]{64}\?tag=/);
    expect(others.map((part) => part.purl)).toContainEqual(purl);
  });

  it('is said in SPDX: each part is contained in the image, which is what is described', () => {
    const release = testRelease(
      { host: 'localhost:1' } as Parameters<typeof testRelease>[0],
      'team',
      '1.2.3',
    );
    const document = sbomOf(release, 'geth', [{ name: 'a', version: '1', purl: 'pkg:npm/a@1' }]);
    expect(document).toMatchObject({
      spdxVersion: 'SPDX-2.3',
      documentNamespace: expect.stringContaining(`/${release.revision}/geth`),
      creationInfo: { created: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}Z$/) },
      packages: [
        { name: 'geth', versionInfo: '1.2.3' },
        { name: 'a', externalRefs: [{ referenceType: 'purl', referenceLocator: 'pkg:npm/a@1' }] },
      ],
      relationships: [
        { relationshipType: 'DESCRIBES', relatedSpdxElement: 'SPDXRef-0' },
        { spdxElementId: 'SPDXRef-0', relationshipType: 'CONTAINS', relatedSpdxElement: 'SPDXRef-1' },
      ],
    });
  });
});
