import type { Place } from './words.ts';

/** A completion script for bash 3.2 and newer. It needs no other program, and starts none. */
export function bashCompletion(places: readonly Place[]): string {
  const options = new Map(
    places.flatMap((place) => place.options).map((option) => [option.names.join(' '), option]),
  );
  const all = [...options.values()];
  const pattern = (names: readonly string[]) => names.join('|');
  const chosen = all.filter(({ choices }) => choices.length > 0);
  const paths = all.filter(({ isPath }) => isPath).flatMap(({ names }) => names);
  const others = all.filter(
    ({ takesValue, isPath, choices }) => takesValue && !isPath && choices.length === 0,
  );
  return `# bash completion for slipway. Load it with: source <(slipway completion bash)
_slipway() {
  local cur prev path word i words
  cur="\${COMP_WORDS[COMP_CWORD]}"
  prev="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  case "$prev" in
${chosen.map(({ names, choices }) => `    ${pattern(names)}) COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$cur")); return ;;`).join('\n')}
    ${pattern(paths)}) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    ${pattern(others.flatMap(({ names }) => names))}) return ;;
  esac
  path=slipway
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$path $word" in
${places
  .slice(1)
  .map((place) => `      '${place.path}') path='${place.path}' ;;`)
  .join('\n')}
    esac
  done
  case "$path" in
${places.map(({ path, ...words }) => `    '${path}') words='${wordsIn(words)}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _slipway slipway
`;
}

/** Commands first; options only where there are no commands, or once a dash is typed. */
function wordsIn({ children, options }: Omit<Place, 'path'>): string {
  return [...children.map(({ name }) => name), ...options.flatMap(({ names }) => names)].join(' ');
}
