import { invalidValue } from '../shared/core/errors.ts';
import { completed } from './help.ts';

const options = '--region --account --json --port --stack --output --token --help';

const bash = (names: readonly string[]): string => `_bakery_ops() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  case "$before" in
    --region) COMPREPLY=($(compgen -W 'us au eu' -- "$word")); return;;
    --output) COMPREPLY=($(compgen -W 'json' -- "$word")); return;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W '${names.join(' ')}' -- "$word"))
  else COMPREPLY=($(compgen -W '${options}' -- "$word")); fi
}
complete -F _bakery_ops bakery-ops
`;

const zsh = (names: readonly string[]): string => `#compdef bakery-ops
_bakery_ops() {
  if (( CURRENT == 2 )); then compadd -- ${names.join(' ')}
  elif [[ $words[CURRENT-1] == --region ]]; then compadd -- us au eu
  elif [[ $words[CURRENT-1] == --output ]]; then compadd -- json
  else compadd -- ${options}; fi
}
compdef _bakery_ops bakery-ops
`;

/**
 * Returns the completion script of a shell: `source <(bakery-ops completion bash)`. Throws
 * `invalid_value`.
 */
export const completion = (shell: string | undefined): string => {
  if (shell === 'bash') return bash(completed());
  if (shell === 'zsh') return zsh(completed());
  throw invalidValue('shell', 'Name the shell: completion bash or completion zsh.');
};
