import type { ParamType } from 'ethers';
import { type ReactNode, useState } from 'react';
import { TextField } from '../../../../../console/src/ui/Field.tsx';
import { exampleOf, typeText } from './argument.ts';
import { argumentsOf } from './callForm.ts';

interface Arguments {
  fields: ReactNode;
  /** The values of what was typed; undefined when something is wrong, which is then said at its field. */
  read: () => unknown[] | undefined;
}

/** A field for each input of a function or a constructor. What is said about a value goes when it changes. */
export function useArguments(inputs: readonly ParamType[]): Arguments {
  const [texts, setTexts] = useState<Record<number, string>>({});
  const [errors, setErrors] = useState<Record<number, string>>({});
  const change = (index: number, text: string) => {
    setTexts((now) => ({ ...now, [index]: text }));
    setErrors(({ [index]: _gone, ...others }) => others);
  };
  const fields = inputs.map((input, index) => (
    <TextField
      // biome-ignore lint/suspicious/noArrayIndexKey: inputs have their places, and names may repeat.
      key={index}
      label={`${input.name || index + 1} ${labelled(typeText(input))}`}
      placeholder={exampleOf(input)}
      value={texts[index] ?? ''}
      error={errors[index]}
      onChange={(text) => change(index, text)}
    />
  ));
  const read = () => {
    const found = argumentsOf(
      inputs,
      inputs.map((_, index) => texts[index] ?? ''),
    );
    setErrors('errors' in found ? found.errors : {});
    return 'values' in found ? found.values : undefined;
  };
  return { fields, read };
}

/** The type in brackets, which structs have anyway. */
const labelled = (type: string): string => (type.startsWith('(') ? type : `(${type})`);
