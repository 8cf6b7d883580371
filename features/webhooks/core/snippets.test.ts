import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blocksOf } from '../../../hack/lib/codeBlocks.ts';
import { parseSigningSecret, signatureHeaders } from './signature.ts';

/** The code of docs/webhooks.md verifies what our signer signs, and nothing else. */

const codeOf = (name: string) =>
  blocksOf('docs/webhooks.md').find(({ language }) => language === name)?.text ?? '';
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = '{"type":"network.operational","object":{"name":"é"}}';
const now = () => Math.floor(Date.now() / 1000);
const other = parseSigningSecret(`whsec_${Buffer.alloc(32, 1).toString('base64')}`);
const key = parseSigningSecret(secret);
const signed = (keys: Buffer[], timestamp = now()) =>
  signatureHeaders(keys, { id: 'evt_1', timestamp, body });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-verify-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const runners: [language: string, tool: string, files: () => Record<string, string>, args: string[]][] = [
  [
    'ts',
    process.execPath,
    () => ({
      'verify.ts': `${codeOf('ts')}
import { readFileSync } from 'node:fs';
const cases = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify(cases.map((one: any) => verify(one.secret, one.headers, one.body))));`,
    }),
    ['verify.ts'],
  ],
  [
    'python',
    'python3',
    () => ({
      'verify.py': `${codeOf('python')}
import json, sys
print(json.dumps([verify(c["secret"], c["headers"], c["body"].encode()) for c in json.load(sys.stdin)]))`,
    }),
    ['verify.py'],
  ],
  [
    'go',
    'go',
    () => ({
      'verify.go': codeOf('go'),
      'main.go': `package main
import ("encoding/json"; "fmt"; "net/http"; "os")
func main() {
	var cases []struct { Secret string; Headers map[string]string; Body string }
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil { panic(err) }
	answers := []bool{}
	for _, one := range cases {
		headers := http.Header{}
		for name, value := range one.Headers { headers.Set(name, value) }
		answers = append(answers, verify(one.Secret, headers, []byte(one.Body)))
	}
	text, _ := json.Marshal(answers)
	fmt.Println(string(text))
}`,
    }),
    ['run', 'verify.go', 'main.go'],
  ],
];

const isThere = (tool: string) => spawnSync(tool, [tool === 'go' ? 'version' : '--version']).status === 0;

for (const [language, tool, files, args] of runners) {
  const run = isThere(tool) ? it : it.skip;
  run(
    `${language}${isThere(tool) ? '' : ` (skipped: ${tool} is not installed)`}: accepts our signatures, and no others`,
    () => {
      for (const [name, text] of Object.entries(files())) writeFileSync(join(folder, name), text);
      const cases = [
        { secret, headers: signed([key]), body },
        { secret, headers: signed([other, key]), body },
        { secret, headers: signed([other]), body },
        { secret, headers: signed([key]), body: `${body} ` },
        { secret, headers: signed([key], now() - 600), body },
      ];
      const output = execFileSync(tool, args, { cwd: folder, input: JSON.stringify(cases) });
      expect(JSON.parse(output.toString())).toEqual([true, true, false, false, false]);
    },
    120_000,
  );
}
