/**
 * What CHANGELOG.md says about a version: the text between its heading, `## 1.2.3` with or without a date behind, and
 * the next one. Undefined when it has no such heading or nothing below it.
 */
export function sectionOf(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.split(/\s/, 1)[0] === version);
  return section?.slice(section.indexOf('\n')).trim() || undefined;
}
