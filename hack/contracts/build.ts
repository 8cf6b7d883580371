import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { compileSources, hashSources } from './compile.ts';
import { systemContractsFile } from './paths.ts';

/**
 * Compiles the system contracts into dist/contracts/system.json, unless that file is up to date.
 * Returns the file's path. Throws Error with the compiler's error messages.
 */
export function buildSystemContracts(): string {
  const sources = hashSources();
  if (builtFrom() === sources) return systemContractsFile;
  const text = `${JSON.stringify({ sources, contracts: compileSources() }, null, 2)}\n`;
  mkdirSync(dirname(systemContractsFile), { recursive: true });
  // The rename is atomic, so a concurrent reader sees either the old or the new file.
  const draft = `${systemContractsFile}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, systemContractsFile);
  return systemContractsFile;
}

function builtFrom(): string | undefined {
  try {
    const built: { sources?: string } = JSON.parse(readFileSync(systemContractsFile, 'utf8'));
    return built.sources;
  } catch {
    return undefined;
  }
}
