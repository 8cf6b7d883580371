import { type Document, LineCounter, parseDocument } from 'yaml';

/** What is wrong in a text, and where. */
export interface Problem {
  /** From 1; 0 where no line is known. */
  line: number;
  message: string;
}

interface ParsedText {
  value: unknown;
  problems: Problem[];
  /** The line of a path such as `spec.chain.ethereum.participants[0].elType`, or of what is nearest above it. */
  lineOf: (path: string) => number;
}

/** Reads YAML, of which JSON is a part. */
export function parseText(text: string): ParsedText {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  const problems = document.errors.map(({ pos: [offset], message }) => ({
    line: counter.linePos(offset).line,
    message,
  }));
  const lineOf = (path: string) => {
    const names = path.split(/[.[\]]+/).filter((name) => name !== '');
    for (let length = names.length; length > 0; length -= 1) {
      const node = document.getIn(names.slice(0, length).map(indexOrName), true);
      const offset = rangeStart(node);
      if (offset !== undefined) return counter.linePos(offset).line;
    }
    return 0;
  };
  if (problems.length > 0) return { value: undefined, problems, lineOf };
  return { ...valueIn(document), lineOf };
}

/** Whether aliases lead anywhere, and not back to themselves, is only found out here. */
function valueIn(document: Document): Pick<ParsedText, 'value' | 'problems'> {
  try {
    const value: unknown = document.toJS();
    JSON.stringify(value);
    return { value, problems: [] };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { value: undefined, problems: [{ line: 0, message }] };
  }
}

const indexOrName = (name: string) => (/^\d+$/.test(name) ? Number(name) : name);

function rangeStart(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range))
    return undefined;
  const [start] = node.range;
  return typeof start === 'number' ? start : undefined;
}
