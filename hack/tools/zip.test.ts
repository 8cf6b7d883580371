import { crc32, deflateRawSync } from 'node:zlib';
import { readZipEntry } from './zip.ts';

/** A zip archive as `zip` writes it: stored or deflated entries, a central directory, a comment. */
function zip(entries: readonly { name: string; content: string; isDeflated: boolean }[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, isDeflated } of entries) {
    const data = isDeflated ? deflateRawSync(content) : Buffer.from(content);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(isDeflated ? 8 : 0, 4);
    facts.writeUInt32LE(crc32(content), 10);
    facts.writeUInt32LE(data.length, 14);
    facts.writeUInt32LE(Buffer.byteLength(content), 18);
    facts.writeUInt16LE(name.length, 22);
    const header = Buffer.concat([Buffer.from('PK\x03\x04'), facts, Buffer.from(name), data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), facts, tail, Buffer.from(name));
    parts.push(header);
    offset += header.length;
  }
  const index = Buffer.concat(directory);
  const comment = 'made by a test';
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...parts, index, end, Buffer.from(comment)]);
}

const archive = zip([
  { name: 'kubectl/', content: '', isDeflated: false },
  { name: 'kubectl/kubectl', content: 'program '.repeat(100), isDeflated: true },
  { name: 'helm/helm', content: 'stored', isDeflated: false },
]);

it.each([
  ['a compressed file', 'kubectl/kubectl', 'program '.repeat(100)],
  ['a stored file', 'helm/helm', 'stored'],
])('takes %s out of an archive', (_what, name, content) => {
  expect(readZipEntry(archive, name).toString()).toBe(content);
});

it('names a file that is not there', () => {
  expect(() => readZipEntry(archive, 'kind')).toThrow('no file kind');
});

it('refuses what is not a zip archive', () => {
  expect(() => readZipEntry(Buffer.from('a tar archive, perhaps, of some length'), 'helm')).toThrow(
    'not a zip archive',
  );
});
