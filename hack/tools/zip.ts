import { inflateRawSync } from 'node:zlib';

// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16
const endOfDirectory = 0x06054b50;
const endBytes = 22;
const directoryEntryBytes = 46;
const localHeaderBytes = 30;
const deflated = 8;

/** The content of a file in a zip archive. Throws when there is no such file. For archives below 4 GiB without encryption. */
export function readZipEntry(archive: Buffer, name: string): Buffer {
  for (const entry of entriesOf(archive)) {
    if (entry.name !== name) continue;
    const start = localDataStart(archive, entry.headerAt);
    const stored = archive.subarray(start, start + entry.storedBytes);
    return entry.method === deflated ? inflateRawSync(stored) : stored;
  }
  throw new Error(`the archive has no file ${name}`);
}

interface ZipEntry {
  name: string;
  method: number;
  storedBytes: number;
  headerAt: number;
}

function* entriesOf(archive: Buffer): Generator<ZipEntry> {
  const end = endAt(archive);
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    const nameBytes = archive.readUInt16LE(at + 28);
    const rest = archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    const nameAt = at + directoryEntryBytes;
    yield {
      name: archive.toString('utf8', nameAt, nameAt + nameBytes),
      method: archive.readUInt16LE(at + 10),
      storedBytes: archive.readUInt32LE(at + 20),
      headerAt: archive.readUInt32LE(at + 42),
    };
    at = nameAt + nameBytes + rest;
  }
}

/** The record is the last one; only a comment of the archive may follow it. */
function endAt(archive: Buffer): number {
  for (let at = archive.length - endBytes; at >= 0; at -= 1) {
    if (archive.readUInt32LE(at) === endOfDirectory) return at;
  }
  throw new Error('this is not a zip archive');
}

function localDataStart(archive: Buffer, headerAt: number): number {
  const nameBytes = archive.readUInt16LE(headerAt + 26);
  const extraBytes = archive.readUInt16LE(headerAt + 28);
  return headerAt + localHeaderBytes + nameBytes + extraBytes;
}
