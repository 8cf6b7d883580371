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
  cwrap(name: string, returns: 'number', takes: string[]): (...args: unknown[]) => number;
  lengthBytesUTF8(text: string): number;
  stringToUTF8(text: string, at: number, maxBytes: number): void;
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

/** Copies a text into the heap of the compiler. As an argument it would be on its stack, which holds about a megabyte. */
function copyIn({ cwrap, lengthBytesUTF8, stringToUTF8 }: Soljson, text: string): number {
  const bytes = lengthBytesUTF8(text) + 1;
  const at = cwrap('solidity_alloc', 'number', ['number'])(bytes);
  stringToUTF8(text, at, bytes);
  return at;
}

/**
 * What the output says of contracts, or the first error alone. A few bytes of sources can have megabytes of warnings, and whoever
 * reads the output answers others meanwhile.
 */
function essence(output: string): string {
  const { errors = [], ...rest }: { errors?: { severity: string }[] } = JSON.parse(output);
  const failure = errors.find(({ severity }) => severity === 'error');
  return JSON.stringify(failure ? { errors: [failure] } : rest);
}

const [, , file = '', commit = ''] = process.argv;
const soljson = load(file);
const version = soljson.cwrap('solidity_version', 'string', [])();
if (version.includes(`+commit.${commit}`)) {
  // Without a callback for imports, a source that is not in the input is an error.
  const compile = soljson.cwrap('solidity_compile', 'string', ['number', 'number', 'number']);
  process.stdout.write(essence(compile(copyIn(soljson, readFileSync(0, 'utf8')), 0, 0)));
} else {
  process.stderr.write(version);
  process.exitCode = 3;
}
