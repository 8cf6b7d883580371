import { Section } from '../../parts/Section.tsx';
import { useAddressHint } from '../../parts/useAddressHint.ts';
import { Button } from '../../ui/Button.tsx';
import controls from '../../ui/controls.module.css';
import { Field, SelectField, TextField } from '../../ui/Field.tsx';
import page from '../../ui/page.module.css';
import { type ItemForm, unitNames, weiOf } from './form.ts';
import { texts } from './texts.ts';

interface ItemFieldsProps {
  item: ItemForm;
  index: number;
  errors: Readonly<Record<string, string>>;
  set: (change: Partial<ItemForm>) => void;
  /** Undefined when it is the only one. */
  onRemove: (() => void) | undefined;
}

/** One transaction. */
export function ItemFields(props: ItemFieldsProps) {
  const { item, index, errors, set, onRemove } = props;
  const errorOf = (name: string) => errors[`${index}.${name}`];
  const remove = onRemove && (
    <Button
      isSmall
      look="quiet"
      icon="close"
      onClick={onRemove}
      aria-label={`${texts.remove}: ${texts.transaction(index + 1)}`}
    >
      {texts.remove}
    </Button>
  );
  return (
    <Section title={texts.transaction(index + 1)} tools={remove}>
      <TextField
        label={texts.to}
        hint={useAddressHint(item.to) ?? texts.toHint}
        error={errorOf('to')}
        value={item.to}
        isOptional
        className={page.mono}
        onChange={(to) => set({ to })}
      />
      <AmountField item={item} error={errorOf('value')} set={set} />
      <div className={page.wide}>
        <Field label={texts.data} hint={texts.dataHint} error={errorOf('data')} isOptional>
          {(ids) => (
            <textarea
              {...ids}
              className={`${controls.input} ${page.mono}`}
              rows={3}
              spellCheck={false}
              value={item.data}
              onChange={(event) => set({ data: event.target.value })}
            />
          )}
        </Field>
      </div>
      <FeeFields {...props} />
    </Section>
  );
}

interface AmountFieldProps {
  item: ItemForm;
  error: string | undefined;
  set: (change: Partial<ItemForm>) => void;
}

function AmountField({ item, error, set }: AmountFieldProps) {
  const wei = weiOf(item);
  return (
    <div className={page.amount}>
      <TextField
        label={texts.value}
        hint={wei && texts.exact(wei)}
        error={error ?? (wei === undefined ? texts.amountWrong : undefined)}
        value={item.value}
        inputMode="decimal"
        onChange={(value) => set({ value })}
      />
      <SelectField
        label={texts.unit}
        value={item.unit}
        options={unitNames.map((value) => ({ value, label: texts.units[value] }))}
        onChange={(value) => set({ unit: unitNames.find((one) => one === value) ?? 'ether' })}
      />
    </div>
  );
}

function FeeFields({ item, index, errors, set }: ItemFieldsProps) {
  const fields = [
    ['gasLimit', 'gas_limit', texts.gasLimit, texts.gasLimitHint],
    ['maxFee', 'max_fee_per_gas', texts.maxFee, texts.feeHint],
    ['tip', 'max_priority_fee_per_gas', texts.tip, texts.feeHint],
  ] as const;
  return (
    <details className={page.wide} open={fields.some(([, path]) => errors[`${index}.${path}`]) || undefined}>
      <summary>{texts.fees}</summary>
      <div className={page.three}>
        {fields.map(([name, path, label, hint]) => (
          <TextField
            key={name}
            label={label}
            hint={hint}
            error={errors[`${index}.${path}`]}
            value={item[name]}
            inputMode="decimal"
            isOptional
            onChange={(value) => set({ [name]: value })}
          />
        ))}
      </div>
    </details>
  );
}
