import { testKubeconfig } from '../testenv/testKube.ts';
import { helmSkipReason, notesOf } from './render.ts';

const suite = helmSkipReason() ? describe.skip : describe;
const kubeconfig = testKubeconfig();

suite(`chart notes${helmSkipReason() ? ` (skipped: ${helmSkipReason()})` : ''}`, () => {
  it.each([
    ['an ingress without TLS', { ingress: { enabled: true, host: 'a.example' } }, true],
    ['a public URL without TLS', { publicUrl: 'http://a.example' }, true],
    ['an ingress with TLS', { ingress: { enabled: true, host: 'a.example', tlsSecret: 'tls' } }, false],
    ['TLS in front of the ingress', { publicUrl: 'https://a.example', ingress: { enabled: true } }, false],
    [
      'a certificate of cert-manager',
      { ingress: { enabled: true, host: 'a.example', certManager: { issuer: 'own' } } },
      false,
    ],
    ['this machine only', { publicUrl: 'http://127.0.0.1:8080', ingress: { enabled: true } }, false],
    ['no ingress', {}, false],
  ])(
    'warn in the notes when credentials cross a network in plain text: %s',
    async (_what, values, isWarned) => {
      expect((await notesOf(kubeconfig, values)).includes('WARNING: NO TLS')).toBe(isWarned);
    },
  );

  it('give the first API key the name that the command line, the SDK and the documents read', async () => {
    const notes = await notesOf(kubeconfig, { publicUrl: 'https://a.example' });
    expect(notes).toContain('export SLIPWAY_URL=https://a.example\n');
    expect(notes).toMatch(
      /export SLIPWAY_API_KEY=\$\(kubectl .* -o go-template='\{\{\.data\.keyId \| base64decode\}\}\.\{\{\.data\.keySecret \| base64decode\}\}'\)/,
    );
  });

  it('name in the notes the engines whose images may change under their tag', async () => {
    expect(await notesOf(kubeconfig)).toMatch(/images move: thornode\./);
    const [digest, tag] = [`sha256:${'a'.repeat(64)}`, 'latest'];
    const engines = { reth: { repository: 'reth', tag, digest }, besu: { repository: 'besu', tag } };
    expect(await notesOf(kubeconfig, { engines })).toMatch(/images move: besu, thornode\./);
  });
});
