/** What reads the same as YAML without quotes. Everything that looks like something else is quoted. */
const plain = /^[A-Za-z][\w./-]*(?: [\w./-]+)*$/;
const other = /^(?:true|false|null|yes|no|on|off|y|n|nan|inf)$/i;

/** YAML of a value as JSON has it. Members that are undefined are left out. */
export function toYaml(value: unknown, indent = ''): string {
  if (Array.isArray(value)) return value.length === 0 ? ' []\n' : listText(value, indent);
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return members.length === 0 ? ' {}\n' : membersText(members, indent);
  }
  return ` ${scalar(value)}\n`;
}

function membersText(members: [string, unknown][], indent: string): string {
  const start = indent === '' ? '' : '\n';
  return (
    start +
    members.map(([name, member]) => `${indent}${scalar(name)}:${toYaml(member, `${indent}  `)}`).join('')
  );
}

function listText(items: unknown[], indent: string): string {
  const texts = items.map((item) => toYaml(item, `${indent}  `).replace(/^\n\s*/, ' '));
  return `\n${texts.map((text) => `${indent}-${text}`).join('')}`;
}

function scalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null';
  return plain.test(value) && !other.test(value) ? value : JSON.stringify(value);
}
