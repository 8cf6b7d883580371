import type { OptionWords, Place } from './words.ts';

/** A completion script for zsh, with descriptions. */
export function zshCompletion(places: readonly Place[]): string {
  return `#compdef slipway
# zsh completion for slipway. Load it with: source <(slipway completion zsh)
_slipway() {
  local curcontext="$curcontext" at=slipway place=1 named word i
  local -a commands arguments
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    case "$at $word" in
${places
  .slice(1)
  .map((place) => `      '${place.path}') at='${place.path}'; place=$i ;;`)
  .join('\n')}
    esac
  done
  case "$at" in
${places.map(caseOf).join('\n')}
  esac
  if ((\${#commands} > 0)) && [[ "\${words[CURRENT]}" != -* ]]; then
    _describe -t commands command commands
    return
  fi
  if [[ -n "$named" && "\${words[CURRENT]}" != -* ]] && ((CURRENT == place + 1)); then
    compadd -- \${(f)"$("\${words[1]}" completion names "$named" 2>/dev/null)"}
    return
  fi
  _arguments -S $arguments '*:argument:_files'
}
if [ "$funcstack[1]" = _slipway ]; then
  _slipway
else
  compdef _slipway slipway
fi
`;
}

function caseOf({ path, children, options, named }: Place): string {
  const commands = children.map(({ name, summary }) => `'${name}:${quoted(summary)}'`);
  return `    '${path}')
      named='${named ?? ''}'
      commands=(${commands.join(' ')})
      arguments=(${options.flatMap(argumentsOf).join(' ')}) ;;`;
}

/** In the form of _arguments: '--flag[text]:value:(choices)'. */
function argumentsOf({ names, text, takesValue, isPath, choices }: OptionWords): string[] {
  const described = quoted(text).replaceAll('[', '(').replaceAll(']', ')').replaceAll(':', ';');
  const action = choices.length > 0 ? `(${choices.join(' ')})` : isPath ? '_files' : ' ';
  return names.map((name) => `'${name}[${described}]${takesValue ? `:value:${action}` : ''}'`);
}

/** Within single quotes; a colon separates what is described from its description. */
function quoted(text: string): string {
  return text.replaceAll("'", "'\\''");
}
