import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import { gunzipSync } from 'node:zlib';

/**
 * A process for one compilation, so that its time and memory are bounded and a crash harms nobody: reads the standard
 * JSON input from stdin and writes the output of the compiler to stdout. Arguments: the compiler's file, and the commit
 * that it must be built from, if any.
 */

interface Soljson {
  cwrap(name: string, returns: 'string', takes: string[]): (...args: unknown[]) => string;
}

/** soljson.js is CommonJS of Emscripten, with the compiler as WebAssembly inside. */
function load(file: string): Soljson {
  const text = gunzipSync(readFileSync(file)).toString('utf8');
  const module = { exports: {} as Soljson };
  const names = ['module', 'exports', 'require', '__dirname', '__filename'];
  const run = compileFunction(text, names, { filename: file });
  run(module, module.exports, createRequire(import.meta.url), '/', file);
  return module.exports;
}

const [, , file = '', commit = ''] = process.argv;
const soljson = load(file);
const version = soljson.cwrap('solidity_version', 'string', [])();
if (version.includes(`+commit.${commit}`)) {
  // Without a callback for imports, a source that is not in the input is an error.
  const compile = soljson.cwrap('solidity_compile', 'string', ['string', 'number', 'number']);
  process.stdout.write(compile(readFileSync(0, 'utf8'), 0, 0));
} else {
  process.stderr.write(version);
  process.exitCode = 3;
}
