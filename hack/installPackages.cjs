// Runs before any package is installed, on whatever Node.js the machine has.
const { spawn } = require('node:child_process');
const { readdirSync } = require('node:fs');

/** How often it says that it still works. */
const noteMs = 15_000;
/** A download that stands still for so long begins again; after three times, npm gives up and says so. */
const stallMs = 60_000;

const startMs = Date.now();
const seconds = () => `${Math.round((Date.now() - startMs) / 1000)} s`;

/** Folders of packages so far; scopes count as one. */
function installed() {
  try {
    return readdirSync('node_modules').length;
  } catch {
    return 0;
  }
}

const limits = [`--fetch-timeout=${stallMs}`, '--fetch-retries=2', '--fetch-retry-maxtimeout=10000'];
const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];

/** No package runs a script on this machine but `node`, whose script fetches the Node.js that make runs with. */
const steps = [
  ['install', '--no-save', '--ignore-scripts', ...quiet, ...limits],
  ['rebuild', 'node', '--ignore-scripts=false', ...quiet, ...limits],
];

console.log('→ npm install, which takes half a minute to two');
let before = installed();
const timer = setInterval(() => {
  const now = installed();
  const hint =
    now === before
      ? '; nothing new for a while: `npm ping` says whether the registry answers, `npm config get registry` which one it is'
      : '';
  before = now;
  console.log(`  … npm install (${seconds()}): ${now} folders in node_modules${hint}`);
}, noteMs);

/** Ends with the outcome of the first step that fails, or of the last one. */
function run([args, ...others]) {
  const npm = spawn(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { stdio: 'inherit' });
  npm.on('error', (error) => {
    clearInterval(timer);
    console.error(`npm cannot be started: ${error.message}`);
    process.exitCode = 1;
  });
  npm.on('exit', (code) => {
    if (code === 0 && others.length > 0) return run(others);
    clearInterval(timer);
    if (code === 0) return void console.log(`✓ npm install (${seconds()})`);
    console.error(
      'npm install failed: check the message above and the registry (`npm ping`), then run the command again',
    );
    process.exitCode = code ?? 1;
  });
}

run(steps);
