import { toSmallestUnits } from '../../lib/units.ts';
import { CheckField, TextField } from '../../ui/Field.tsx';
import page from '../../ui/page.module.css';
import { type ArgTexts, objectOf } from './form.ts';
import { type AnyArg, argLooks, askedArgs, type StandardPath } from './standards.ts';
import { texts } from './texts.ts';

interface ArgFieldsProps {
  path: StandardPath;
  decimals: number;
  args: ArgTexts;
  errors: Readonly<Record<string, string>>;
  onChange: (args: ArgTexts) => void;
}

/** The args that the standard takes. */
export function ArgFields({ path, args, onChange, ...rest }: ArgFieldsProps) {
  return askedArgs(path).map(({ name, isOptional }) => (
    <ArgField
      key={name}
      {...rest}
      name={name}
      isOptional={isOptional}
      text={args[name] ?? ''}
      onChange={(text) => onChange({ ...args, [name]: text })}
    />
  ));
}

interface ArgFieldProps {
  name: AnyArg;
  isOptional: boolean;
  decimals: number;
  text: string;
  errors: Readonly<Record<string, string>>;
  onChange: (text: string) => void;
}

function ArgField({ name, isOptional, decimals, text, errors, onChange }: ArgFieldProps) {
  const look = argLooks[name];
  const label = texts.args[name];
  const hint = hintOf(name, isOptional);
  if (look === 'flag') {
    return (
      <div className={page.wide}>
        <CheckField
          label={label}
          hint={hint}
          isChecked={text === 'true'}
          onChange={(isSet) => onChange(isSet ? 'true' : '')}
        />
      </div>
    );
  }
  const isAmount = look === 'amount' || look === 'number';
  const units = isAmount ? toSmallestUnits(text, decimals) : undefined;
  return (
    <TextField
      label={label}
      isOptional={isOptional}
      onChange={onChange}
      hint={units ? `${hint} ${texts.smallest(units)}` : hint}
      error={errors[name] ?? problemOf({ look, text, decimals })}
      value={text}
      inputMode={isAmount ? 'decimal' : 'text'}
    />
  );
}

/** Only standards that can wrap a token take no total supply. */
function hintOf(name: AnyArg, isOptional: boolean): string {
  const hint = texts.argHints[name];
  return name === 'total_supply' && isOptional ? `${hint} ${texts.notWithExisting}` : hint;
}

/** What is wrong with a text before it is sent. */
function problemOf({ look, text, decimals }: { look: string; text: string; decimals: number }) {
  if (text.trim() === '') return undefined;
  if (look === 'json') return objectOf(text) ? undefined : texts.jsonWrong;
  if (look === 'address') return undefined;
  return toSmallestUnits(text, decimals) === undefined ? texts.amountWrong(decimals) : undefined;
}
