/** A bar with what it says beside it; `mark` is a second value on the same scale, such as a goal. */
interface Bar {
  label: string;
  value: number;
  text: string;
  mark?: number;
  tone: 'good' | 'bad' | 'peer';
}

export interface Chart {
  title: string;
  /** What the length of a bar is, and what the mark is. */
  note: string;
  groups: { name: string; bars: Bar[] }[];
}

const width = 760;
const left = 270;
const right = 190;
const line = 22;
const colors = {
  good: '#2f7d4f',
  bad: '#b4541a',
  peer: '#8a8f98',
  mark: '#555',
  text: '#222',
  faint: '#666',
};

const inXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A chart of horizontal bars. The text is part of the picture, so that it needs no colour to be read. */
export function chartOf({ title, note, groups }: Chart): string {
  const most = Math.max(
    ...groups.flatMap(({ bars }) => bars.flatMap(({ value, mark = 0 }) => [value, mark])),
  );
  const x = (value: number) => left + (value / most) * (width - left - right);
  const parts: string[] = [];
  let y = 58;
  for (const { name, bars } of groups) {
    if (name !== '') {
      parts.push(`<text x="16" y="${y + 14}" font-weight="600">${inXml(name)}</text>`);
      y += line;
    }
    for (const bar of bars) {
      parts.push(...barAt(bar, y, x));
      y += line;
    }
    y += 10;
  }
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + 6}" width="${width}" height="${y + 6}" role="img" font-family="system-ui, sans-serif" font-size="13" fill="${colors.text}">`;
  const paper = `<title>${inXml(title)}</title><rect width="100%" height="100%" fill="#fff"/>`;
  const caption = `<text x="16" y="24" font-size="15" font-weight="600">${inXml(title)}</text><text x="16" y="44" fill="${colors.faint}">${inXml(note)}</text>`;
  return `${head}\n${paper}\n${caption}\n${parts.join('\n')}\n</svg>\n`;
}

function barAt({ label, value, text, mark, tone }: Bar, y: number, x: (value: number) => number): string[] {
  const end = x(value);
  const after = Math.max(end, mark === undefined ? 0 : x(mark)) + 8;
  const round = (number: number) => Number(number.toFixed(1));
  return [
    `<text x="${left - 8}" y="${y + 14}" text-anchor="end">${inXml(label)}</text>`,
    `<rect x="${left}" y="${y + 3}" width="${round(Math.max(1, end - left))}" height="14" fill="${colors[tone]}"/>`,
    ...(mark === undefined
      ? []
      : [
          `<line x1="${round(x(mark))}" x2="${round(x(mark))}" y1="${y}" y2="${y + 20}" stroke="${colors.mark}" stroke-width="2"/>`,
        ]),
    `<text x="${round(after)}" y="${y + 14}">${inXml(text)}</text>`,
  ];
}
