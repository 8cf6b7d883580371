import { imagesOf, inMirror } from './images.ts';
import { chartEnginesOf, configOf, find, helmSkipReason, type Manifest, renderChart } from './render.ts';

const suite = helmSkipReason() ? describe.skip : describe;
const digest = `sha256:${'a'.repeat(64)}`;
/** Everything that is off by default. */
const everything = {
  forkSources: { Ethereum: 'https://m.example/KEY' },
  crds: { keep: false },
  keys: { reseal: true },
  image: { repository: 'ghcr.io/team/service', digest },
  engines: {
    geth: { repository: 'localhost:5000/own/geth', tag: 'v1' },
    service: { repository: 'other.example/service', tag: 'v8' },
  },
};

/** All strings under a key `image`, wherever they are. */
function imageFields(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'image' && typeof member === 'string' ? [member] : imageFields(member),
  );
}

suite(`images of the chart${helmSkipReason() ? ` (skipped: ${helmSkipReason()})` : ''}`, () => {
  let plain: Manifest[];
  let mirrored: Manifest[];
  beforeAll(async () => {
    plain = await renderChart(everything);
    mirrored = await renderChart({ ...everything, imageRegistry: 'mirror.example:5000/team' });
  });

  it('are all in the list, of pods, Jobs and engines', () => {
    const listed = imagesOf(plain);
    const found = [...plain.flatMap(imageFields), ...imageFields(chartEnginesOf(plain))];
    expect(new Set(listed.map(({ image }) => image))).toEqual(new Set(found));
    const usesOf = (name: string) => listed.find(({ image }) => image.startsWith(name))?.uses;
    expect(usesOf('ghcr.io/team/service@')).toEqual(
      expect.arrayContaining(['apiserver', 'operator', 'forks']),
    );
    expect(usesOf('sigp/lighthouse')).toEqual(['lighthouse']);
  });

  it('all come from the mirror, under the names that the list gives them', () => {
    const names = imagesOf(plain).map(({ image }) => inMirror('mirror.example:5000/team', image));
    expect(imagesOf(mirrored).map(({ image }) => image)).toEqual(names.sort());
    expect(names).toContain(`mirror.example:5000/team/team/service@${digest}`);
    expect(names).toContain('mirror.example:5000/team/own/geth:v1');
    const fields = [...mirrored.flatMap(imageFields), ...imageFields(chartEnginesOf(mirrored))];
    expect(fields.filter((image) => !image.startsWith('mirror.example:5000/team/'))).toEqual([]);
  });

  it('that networks may choose are in the mirror as well', () => {
    const allowed = Object.values(chartEnginesOf(mirrored)).flatMap(({ allowedImages }) => allowedImages);
    expect(allowed).toContain('mirror.example:5000/team/ethereum/client-go:*');
    expect(allowed).toContain('mirror.example:5000/team/thorchain/thornode:*');
    expect(allowed.filter((image) => !image.startsWith('mirror.example:5000/team/'))).toEqual([]);
  });

  it('of a registry with a login are pulled with it, by all pods, and the operator hands it to workspaces', async () => {
    const manifests = await renderChart({ ...everything, imagePullSecrets: [{ name: 'my-registry' }] });
    const pods = manifests.flatMap(({ kind, spec }) =>
      kind === 'Pod' ? [spec] : (spec?.template?.spec ?? []),
    );
    for (const pod of pods) expect(pod.imagePullSecrets).toEqual([{ name: 'my-registry' }]);
    expect(configOf(manifests).workspaces.pullSecrets).toEqual(['my-registry']);
    const { volumes } = find(manifests, 'Deployment', '-operator').spec.template.spec;
    const items = [{ key: '.dockerconfigjson', path: 'my-registry.json' }];
    expect(JSON.stringify(volumes)).toContain(JSON.stringify({ name: 'my-registry', optional: true, items }));
  });

  it('that are in the mirror already keep their names', async () => {
    const image = { repository: 'mirror.example/team/service', tag: 'v1' };
    const listed = imagesOf(await renderChart({ image, imageRegistry: 'mirror.example/team' }));
    expect(listed.map((one) => one.image)).toContain('mirror.example/team/service:v1');
  });

  it('have tags that do not move, except for the only one that is published under no other', () => {
    const moving = imagesOf(plain).filter(({ image }) =>
      /:[^/]*(latest|stable|edge|nightly|mocknet)/.test(image),
    );
    expect(moving.map(({ uses }) => uses)).toEqual([['thornode']]);
  });
});
