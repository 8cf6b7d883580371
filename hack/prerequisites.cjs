// Plain JavaScript for whatever Node a machine has: `make` runs it before npm has installed the project's own.
const wanted = 20;
const found = process.versions.node;
if (Number.parseInt(found, 10) < wanted) {
  console.error(`Node.js ${found} is too old: install ${wanted} or newer from https://nodejs.org`);
  process.exitCode = 1;
}
