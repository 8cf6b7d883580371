import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../lib/paths.ts';

/** The files for GitHub cannot be run here: what they name has to be there. */

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

interface Workflow {
  jobs: Record<string, { steps: Step[] }>;
}

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
const workflowFiles = globSync('.github/workflows/*.yml', { cwd: projectRoot }).sort();
const stepsOf = (file: string): Step[] => {
  const { jobs }: Workflow = parse(read(file));
  return Object.values(jobs).flatMap(({ steps }) => steps);
};
const steps = workflowFiles.flatMap(stepsOf);
const commands = steps.flatMap(({ run }) => run ?? []).join('\n');
const { scripts, devDependencies } = JSON.parse(read('package.json'));

/** What follows `command` on its lines, word by word; options and assignments left out. */
function argumentsOf(command: string): string[] {
  const lines = [...commands.matchAll(new RegExp(`(?:^|[ (])${command} ([^|>)\\n]+)`, 'gm'))];
  return lines.flatMap(([, rest = '']) => rest.trim().split(/\s+/)).filter((word) => /^[a-z]/.test(word));
}

describe('the workflows', () => {
  it('are found', () => {
    expect(workflowFiles).toEqual(['.github/workflows/ci.yml', '.github/workflows/release.yml']);
  });

  it('call make targets that exist', () => {
    const targets = [...read('Makefile').matchAll(/^([a-z0-9-]+):/gm)].map(([, target]) => target);
    expect(targets).toEqual(expect.arrayContaining(argumentsOf('make')));
  });

  it('have every stage of .ci/run', () => {
    const stages = ['check', 'up', 'test-unit', 'test-chains', 'test-integration', 'test-e2e', 'down'];
    expect(argumentsOf('make')).toEqual(expect.arrayContaining(stages));
  });

  it('call npm scripts that exist', () => {
    expect(argumentsOf('npm run').filter((name) => !(name in scripts))).toEqual([]);
  });

  it('name files and folders that exist', () => {
    const paths = commands.match(/(?<![\w/])(?:hack|engines|charts)\/[\w./-]+/g) ?? [];
    expect(paths.length).toBeGreaterThan(1);
    expect(paths.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
  });

  it('name files to read and to hash that exist', () => {
    const inputs = steps.flatMap((step) => Object.values(step.with ?? {})).map(String);
    const hashed = inputs.flatMap((text) => text.match(/(?<=')[^']+\/[^']+(?=')/g) ?? []);
    const named = inputs.filter((text) => /^(\.nvmrc|hack\/\S+)$/.test(text));
    expect(hashed.length * named.length).toBeGreaterThan(0);
    const missing = [...hashed, ...named].filter((path) => globSync(path, { cwd: projectRoot }).length === 0);
    expect(missing).toEqual([]);
  });

  it('publish a release by the program that the tests run, and its packages as it leaves them', () => {
    for (const program of ['build', 'main'])
      expect(commands).toContain(`node hack/release/${program}.ts "$RUNNER_TEMP/release"`);
    const [, names = ''] = /for name in ([^;]+); do/.exec(commands) ?? [];
    const packages = ['sdk', 'cli'].map((folder) => JSON.parse(read(`${folder}/package.json`)).name);
    expect(names.split(' ').map((name) => `@slipway/${name}`)).toEqual(packages);
  });
});

describe('the issue forms', () => {
  const forms = ['bug', 'feature'].map((name) => `.github/ISSUE_TEMPLATE/${name}.yml`);

  it.each(forms)('%s asks questions that differ, some of them required', (file) => {
    const { name, description, body } = parse(read(file));
    const questions = body.filter(({ type }: { type: string }) => type !== 'markdown');
    const ids = questions.map(({ id }: { id: string }) => id);
    expect([typeof name, typeof description]).toEqual(['string', 'string']);
    expect(new Set(ids).size).toBe(questions.length);
    const required = questions.filter(
      (one: { validations?: { required: boolean } }) => one.validations?.required,
    );
    expect(required.length).toBeGreaterThan(0);
  });
});

describe('the versions of Node', () => {
  const major = read('.nvmrc').trim();

  it('.nvmrc, the package of Node and the service image have the same major version', () => {
    expect(devDependencies.node.split('.')[0]).toBe(major);
    expect(read('Dockerfile')).toContain(`NODE_IMAGE=node:${major}-`);
  });

  it('renovate.json keeps to it', () => {
    const { packageRules }: { packageRules: { groupName?: string; allowedVersions?: string }[] } = JSON.parse(
      read('renovate.json'),
    );
    const rule = packageRules.find(({ groupName }) => groupName === 'Node');
    expect(rule?.allowedVersions).toBe(`<${Number(major) + 1}`);
  });
});
