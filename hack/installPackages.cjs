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

console.log('→ npm install, which takes half a minute to two');
const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
const limits = [`--fetch-timeout=${stallMs}`, '--fetch-retries=2', '--fetch-retry-maxtimeout=10000'];
const npm = spawn(process.platform === 'win32' ? 'npm.cmd' : 'npm', [...args, ...limits], {
  stdio: 'inherit',
});
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

npm.on('error', (error) => {
  clearInterval(timer);
  console.error(`npm cannot be started: ${error.message}`);
  process.exitCode = 1;
});
npm.on('exit', (code) => {
  clearInterval(timer);
  if (code === 0) return void console.log(`✓ npm install (${seconds()})`);
  console.error(
    'npm install failed: check the message above and the registry (`npm ping`), then run the command again',
  );
  process.exitCode = code ?? 1;
});
