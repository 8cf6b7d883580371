import { readFileSync } from 'node:fs';
import { writeWhole } from '../lib/wholeFile.ts';
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
  writeWhole(systemContractsFile, text);
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
