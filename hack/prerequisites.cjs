// Plain JavaScript that any Node version can run: `make` runs it before npm has installed the project's own Node.
const required = 20;
const found = process.versions.node;
if (Number.parseInt(found, 10) < required) {
  console.error(`Node.js ${found} is too old: install Node.js ${required} or newer from https://nodejs.org`);
  process.exitCode = 1;
}
