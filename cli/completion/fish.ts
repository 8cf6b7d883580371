import type { OptionWords, Place } from './words.ts';

/** A completion script for fish, with descriptions. */
export function fishCompletion(places: readonly Place[]): string {
  const known = places.slice(1).map(({ path }) => quoted(path));
  return `# fish completion for slipway. Load it with: slipway completion fish | source
set -g __slipway_places ${known.join(' ')}
function __slipway_at
  set -l path slipway
  for word in (commandline -opc)[2..-1]
    if contains -- "$path $word" $__slipway_places
      set path "$path $word"
    end
  end
  test "$path" = "$argv[1]"
end
complete -c slipway -f
${places.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ path, children, options, named }: Place): string[] {
  const condition = `-n ${quoted(`__slipway_at "${path}"`)}`;
  return [
    ...children.map(
      ({ name, summary }) => `complete -c slipway ${condition} -a ${name} -d ${quoted(summary)}`,
    ),
    ...(named
      ? [`complete -c slipway ${condition} -a '(slipway completion names ${named} 2>/dev/null)'`]
      : []),
    ...options.map((option) => `complete -c slipway ${condition} ${optionOf(option)}`),
  ];
}

function optionOf({ names, text, takesValue, isPath, choices }: OptionWords): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const value = choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : isPath ? ' -r -F' : ' -x';
  return `${flags.join(' ')}${takesValue ? value : ''} -d ${quoted(text)}`;
}

/** In single quotes of fish, where a backslash escapes. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
