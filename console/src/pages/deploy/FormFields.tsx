import type { Network } from '../../../../sdk/src/generated/types.ts';
import { NetworkPicker } from '../../parts/NetworkPicker.tsx';
import { Section } from '../../parts/Section.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { ArgFields } from './ArgFields.tsx';
import { decimalsOf, type TokenForm } from './form.ts';
import { standardPaths } from './standards.ts';
import { texts } from './texts.ts';

interface FormFieldsProps {
  form: TokenForm;
  networks: readonly Network[];
  errors: Readonly<Record<string, string>>;
  set: (change: Partial<TokenForm>) => void;
}

export function FormFields({ form, networks, errors, set }: FormFieldsProps) {
  const choose = (value: string) => set({ path: standardPaths.find((path) => path === value) ?? form.path });
  return (
    <>
      <Section title={texts.basics}>
        <SelectField
          label={texts.standard}
          hint={texts.standardHints[form.path]}
          value={form.path}
          options={standardPaths.map((value) => ({ value, label: texts.standards[value] }))}
          onChange={choose}
        />
        <TextField
          label={texts.name}
          error={errors.name}
          value={form.name}
          required
          onChange={(name) => set({ name })}
        />
        <TextField
          label={texts.symbol}
          error={errors.symbol}
          value={form.symbol}
          required
          onChange={(symbol) => set({ symbol })}
        />
        <TextField
          label={texts.decimals}
          error={errors.decimals}
          value={form.decimals}
          inputMode="numeric"
          onChange={(decimals) => set({ decimals })}
        />
      </Section>
      <Section title={texts.networks}>
        <NetworkPicker
          networks={networks}
          choice={form.choice}
          error={errors.networks}
          onChange={(choice) => set({ choice })}
        />
      </Section>
      <Section title={texts.settings}>
        <ArgFields
          path={form.path}
          args={form.args}
          errors={errors}
          decimals={decimalsOf(form.decimals)}
          onChange={(args) => set({ args })}
        />
        <TextField
          label={texts.labels}
          hint={texts.labelsHint}
          error={errors.labels}
          value={form.labels}
          isOptional
          onChange={(labels) => set({ labels })}
        />
      </Section>
    </>
  );
}
