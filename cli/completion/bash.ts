import type { OptionWords, Place } from './words.ts';

/** A completion script for bash 3.2 and newer. It starts no program but slipway itself, for names. */
export function bashCompletion(places: readonly Place[]): string {
  return `# bash completion for slipway. Load it with: source <(slipway completion bash)
_slipway() {
  local cur prev path word i words flags named at
  cur="\${COMP_WORDS[COMP_CWORD]}"
  prev="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  path=slipway
  at=0
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$path $word" in
${places
  .slice(1)
  .map((place) => `      '${place.path}') path='${place.path}'; at=$i ;;`)
  .join('\n')}
    esac
  done
  case "$path $prev" in
${casesOf(places).join('\n')}
  esac
  case "$path" in
${places.map((place) => `    '${place.path}') words='${commandsIn(place)}'; flags='${flagsIn(place)}'; named='${place.named ?? ''}' ;;`).join('\n')}
  esac
  if [[ "$cur" == -* ]]; then
    words="$flags"
  elif [[ -n "$named" && $COMP_CWORD -eq $((at + 1)) ]]; then
    words="$words $("\${COMP_WORDS[0]}" completion names "$named" 2>/dev/null)"
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _slipway slipway
`;
}

/** What follows an option that takes a value: the same name may mean something else in another place. */
function casesOf(places: readonly Place[]): string[] {
  const patterns = new Map<string, string[]>();
  for (const { path, options } of places) {
    for (const option of options.filter(({ takesValue }) => takesValue)) {
      const action = actionOf(option);
      const named = option.names.map((name) => `'${path} ${name}'`);
      patterns.set(action, [...(patterns.get(action) ?? []), ...named]);
    }
  }
  return [...patterns].map(([action, named]) => `    ${named.join('|')}) ${action}return ;;`);
}

function actionOf({ choices, isPath }: OptionWords): string {
  if (choices.length > 0) return `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$cur")); `;
  return isPath ? 'COMPREPLY=($(compgen -f -- "$cur")); ' : '';
}

const commandsIn = ({ children }: Place) => children.map(({ name }) => name).join(' ');

/** They are offered once a dash is typed. */
const flagsIn = ({ options }: Place) => options.flatMap(({ names }) => names).join(' ');
