/** The labels in a text such as `team=core, env=test`; undefined for a text that is not like that. */
export function labelsIn(text: string): Record<string, string> | undefined {
  const pairs = text
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, Math.max(0, at)).trim(), pair.slice(at + 1).trim()] as const;
    });
  return pairs.every(([name]) => /^\S+$/.test(name)) ? Object.fromEntries(pairs) : undefined;
}

/** The same for a request; undefined for none. */
export function labelsOf(text: string): Record<string, string> | undefined {
  const found = labelsIn(text) ?? {};
  return Object.keys(found).length > 0 ? found : undefined;
}

/**
 * The body of a request with labels as they were typed. A text that does not list labels is sent as it is: the service refuses it, along with
 * all else that is wrong.
 */
export function withLabels<Body extends { metadata?: object | undefined }>(body: Body, text: string): Body {
  return labelsIn(text) ? body : { ...body, metadata: { labels: text } };
}

/** What is wrong with the field `labels` of a form, if anything is. */
export function labelsProblem(text: string): { labels?: string } {
  return labelsIn(text) ? {} : { labels: 'Write each label as key=value.' };
}

/** The text of labels, in order of their names. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  return Object.entries(labels ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join(', ');
}
