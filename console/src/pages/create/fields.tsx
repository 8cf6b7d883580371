import { chainTypes, isEvm } from '../../lib/chains.ts';
import { useLive } from '../../session/context.tsx';
import controls from '../../ui/controls.module.css';
import { CheckField, SelectField, TextField } from '../../ui/Field.tsx';
import page from '../../ui/page.module.css';
import { fieldsOf, keyFor, type NetworkForm, newKeyName } from './form.ts';
import { noteOf, optionsOf, useOffers } from './offers.ts';
import { texts } from './texts.ts';
import { Unavailable } from './Unavailable.tsx';
import { useKeyNames } from './useOptions.ts';

export interface FieldsProps {
  form: NetworkForm;
  errors: Readonly<Record<string, string>>;
  set: (change: Partial<NetworkForm>) => void;
}

const hints: Readonly<Record<string, string>> = texts.typeHints;

export function BasicFields({ form, errors, set }: FieldsProps) {
  const offers = useOffers();
  const chooseType = (value: string) => {
    const type = chainTypes.find((one) => one === value) ?? form.type;
    set({ type, key: keyFor(type), profile: '', hasClients: false });
  };
  return (
    <>
      <TextField
        label={texts.name}
        hint={texts.nameHint}
        error={errors.name}
        value={form.name}
        required
        maxLength={63}
        onChange={(name) => set({ name })}
      />
      <div>
        <SelectField
          label={texts.type}
          hint={noteOf(hints[form.type], offers.type(form.type))}
          error={errors.type}
          value={form.type}
          options={optionsOf(chainTypes, offers.type)}
          onChange={chooseType}
        />
        <Unavailable values={chainTypes} offerOf={offers.type} />
      </div>
      <KeyField form={form} errors={errors} set={set} />
    </>
  );
}

function KeyField({ form, errors, set }: FieldsProps) {
  const names = useKeyNames();
  const { key: need } = fieldsOf(form.type);
  if (need === 'none') return null;
  const options = [
    ...(isEvm(form.type) ? [{ value: ':new', label: texts.newKey }] : []),
    ...(need === 'optional' ? [{ value: ':none', label: texts.noKey }] : []),
    ...names.map((name) => ({ value: name, label: name })),
  ];
  const choose = (value: string) => {
    if (value === ':new') return set({ key: { mode: 'new' } });
    if (value === ':none') return set({ key: { mode: 'none' } });
    set({ key: { mode: 'existing', name: value } });
  };
  const isNew = form.key.mode === 'new' && form.name.trim() !== '';
  return (
    <SelectField
      label={texts.key}
      hint={isNew ? texts.newKeyHint(newKeyName(form.name.trim())) : texts.keyHint}
      error={errors.key}
      value={form.key.mode === 'existing' ? form.key.name : `:${form.key.mode}`}
      options={options}
      onChange={choose}
    />
  );
}

export function EvmFields({ form, errors, set }: FieldsProps) {
  return (
    <>
      <TextField
        label={texts.blockTime}
        hint={texts.blockTimeHint}
        error={errors.blockTime}
        value={form.blockTime}
        inputMode="numeric"
        isOptional
        onChange={(blockTime) => set({ blockTime })}
      />
      <TextField
        label={texts.gasLimit}
        error={errors.gasLimit}
        value={form.gasLimit}
        inputMode="numeric"
        isOptional
        onChange={(gasLimit) => set({ gasLimit })}
      />
      <TextField
        label={texts.history}
        hint={texts.historyHint}
        error={errors.history}
        value={form.history}
        inputMode="numeric"
        isOptional
        onChange={(history) => set({ history })}
      />
      <div className={page.wide}>
        <CheckField
          label={texts.developmentAccounts}
          hint={texts.developmentAccountsHint}
          isChecked={form.hasDevelopmentAccounts}
          onChange={(hasDevelopmentAccounts) => set({ hasDevelopmentAccounts })}
        />
      </div>
      <SnapshotField form={form} errors={errors} set={set} />
    </>
  );
}

function SnapshotField({ form, errors, set }: FieldsProps) {
  const { snapshots } = useLive();
  const ready = [...snapshots.values()].filter(({ status }) => status?.state === 'Ready');
  if (ready.length === 0) return null;
  return (
    <SelectField
      label={texts.from}
      error={errors.from}
      value={form.from}
      options={[
        { value: '', label: texts.fromNone },
        ...ready.map(({ name }) => ({ value: name, label: name })),
      ]}
      onChange={(from) => set({ from })}
    />
  );
}

const profiles = ['light', 'real'] as const;

export function ProfileField({ form, errors, set }: FieldsProps) {
  const offers = useOffers();
  const offerOf = (value: string) => offers.option(form.type, 'profile', value);
  const profile = form.profile || 'light';
  return (
    <div>
      <SelectField
        label={texts.engine}
        hint={noteOf(undefined, offerOf(profile))}
        error={errors.profile}
        value={profile}
        options={optionsOf(profiles, offerOf, texts.engines)}
        onChange={(value) => set({ profile: value === 'real' ? 'real' : '' })}
      />
      <Unavailable values={profiles} offerOf={offerOf} />
    </div>
  );
}

export function ForkFields({ form, errors, set }: FieldsProps) {
  const offer = useOffers().option(form.type, 'forking', 'enabled');
  return (
    <div className={page.wide}>
      <CheckField
        label={texts.fork}
        hint={noteOf(texts.forkHint, offer)}
        isChecked={form.isFork}
        isDisabled={offer.missing !== undefined && !form.isFork}
        onChange={(isFork) => set({ isFork })}
      />
      {form.isFork && (
        <TextField
          label={texts.forkBlock}
          hint={texts.forkBlockHint}
          error={errors.forkBlock}
          value={form.forkBlock}
          onChange={(forkBlock) => set({ forkBlock })}
        />
      )}
      {!form.isFork && errors.forkBlock && <p className={controls.error}>{errors.forkBlock}</p>}
    </div>
  );
}
