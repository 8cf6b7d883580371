import { isEvm } from '../../lib/chains.ts';
import { NotStreamed } from '../../parts/Streamed.tsx';
import { texts as partTexts } from '../../parts/texts.ts';
import { useLive } from '../../session/context.tsx';
import controls from '../../ui/controls.module.css';
import { CheckField, SelectField, TextField } from '../../ui/Field.tsx';
import page from '../../ui/page.module.css';
import styles from './create.module.css';
import type { FieldsProps } from './fields.tsx';
import { fieldsOf } from './form.ts';
import { noteOf, type Offer, optionsOf, useOffers } from './offers.ts';
import { texts } from './texts.ts';
import { Unavailable } from './Unavailable.tsx';

const executionClients = ['geth', 'reth', 'nethermind', 'erigon', 'besu'];
const consensusClients = ['lighthouse', 'teku', 'nimbus', 'lodestar', 'grandine', 'prysm'];

export function ClientFields({ form, errors, set }: FieldsProps) {
  const offers = useOffers();
  const execution = (value: string) => offers.option(form.type, 'elType', value);
  const consensus = (value: string) => offers.option(form.type, 'clType', value);
  return (
    <div className={page.wide}>
      <CheckField
        label={texts.clients}
        hint={texts.clientsHint}
        isChecked={form.hasClients}
        onChange={(hasClients) => set({ hasClients })}
      />
      {errors.hasClients && <p className={controls.error}>{errors.hasClients}</p>}
      {form.hasClients && (
        <div className={styles.three}>
          <SelectField
            label={texts.elType}
            hint={noteOf(undefined, execution(form.elType))}
            error={errors.elType}
            value={form.elType}
            options={optionsOf(executionClients, execution)}
            onChange={(elType) => set({ elType })}
          />
          <SelectField
            label={texts.clType}
            hint={noteOf(undefined, consensus(form.clType))}
            error={errors.clType}
            value={form.clType}
            options={optionsOf(consensusClients, consensus)}
            onChange={(clType) => set({ clType })}
          />
          <TextField
            label={texts.count}
            error={errors.count}
            value={form.count}
            inputMode="numeric"
            onChange={(count) => set({ count })}
          />
          <div className={page.wide}>
            <Unavailable values={executionClients} offerOf={execution} />
            <Unavailable values={consensusClients} offerOf={consensus} />
          </div>
        </div>
      )}
    </div>
  );
}

interface ChoicesProps {
  title: string;
  hint?: string;
  error: string | undefined;
  names: readonly string[];
  chosen: readonly string[];
  /** What is said of each. */
  offerOf?: (name: string) => Offer;
  onChange: (chosen: string[]) => void;
}

const nothing: Offer = {};

/** Any of several. */
function Choices({ title, hint, error, names, chosen, offerOf = () => nothing, onChange }: ChoicesProps) {
  const toggle = (name: string) => (isChecked: boolean) =>
    onChange(isChecked ? [...chosen, name] : chosen.filter((one) => one !== name));
  return (
    <fieldset className={page.wide}>
      <legend className={controls.label}>{title}</legend>
      {hint && <p className={controls.hint}>{hint}</p>}
      <div className={styles.checks}>
        {names.map((name) => (
          <CheckField
            key={name}
            label={name}
            hint={noteOf(offerOf(name).description, offerOf(name))}
            isChecked={chosen.includes(name)}
            isDisabled={offerOf(name).missing !== undefined && !chosen.includes(name)}
            onChange={toggle(name)}
          />
        ))}
      </div>
      {error && <p className={controls.error}>{error}</p>}
    </fieldset>
  );
}

export function PluginFields({ form, errors, set }: FieldsProps) {
  const { plugins } = fieldsOf(form.type);
  const offers = useOffers();
  return (
    <Choices
      title={texts.plugins}
      error={errors.plugins}
      names={plugins}
      chosen={form.plugins}
      offerOf={(name) => offers.option(form.type, 'plugins', name)}
      onChange={(chosen) => set({ plugins: chosen })}
    />
  );
}

export function MemberFields({ form, errors, set }: FieldsProps) {
  const { networks, isComplete } = useLive();
  const names = [...networks.values()]
    .filter(({ spec }) => isEvm(spec.chain.type))
    .map(({ name }) => name)
    .sort();
  if (names.length === 0 && !isComplete) {
    return (
      <div className={page.wide}>
        <NotStreamed what={partTexts.theNetworks} />
      </div>
    );
  }
  return (
    <Choices
      title={texts.members}
      hint={names.length > 0 ? texts.membersHint : texts.noMembers}
      error={errors.members}
      names={names}
      chosen={form.members}
      onChange={(members) => set({ members })}
    />
  );
}

export function ThorchainFields({ form, errors, set }: FieldsProps) {
  return (
    <>
      <TextField
        label={texts.accountBalance}
        hint={texts.baseUnits}
        error={errors.accountBalance}
        value={form.accountBalance}
        inputMode="numeric"
        isOptional
        onChange={(accountBalance) => set({ accountBalance })}
      />
      <TextField
        label={texts.bondAmount}
        hint={texts.baseUnits}
        error={errors.bondAmount}
        value={form.bondAmount}
        inputMode="numeric"
        isOptional
        onChange={(bondAmount) => set({ bondAmount })}
      />
    </>
  );
}

export function LifetimeFields({ form, errors, set }: FieldsProps) {
  return (
    <>
      <TextField
        label={texts.idleAfter}
        hint={texts.idleAfterHint}
        error={errors.idleAfter}
        value={form.idleAfter}
        isOptional
        disabled={form.isPersistent}
        onChange={(idleAfter) => set({ idleAfter })}
      />
      <TextField
        label={texts.expiresAfter}
        hint={texts.expiresAfterHint}
        error={errors.expiresAfter}
        value={form.expiresAfter}
        isOptional
        onChange={(expiresAfter) => set({ expiresAfter })}
      />
      <TextField
        label={texts.labels}
        hint={texts.labelsHint}
        error={errors.labels}
        value={form.labels}
        isOptional
        onChange={(labels) => set({ labels })}
      />
      <div className={page.wide}>
        <CheckField
          label={texts.persistent}
          hint={texts.persistentHint}
          isChecked={form.isPersistent}
          onChange={(isPersistent) => set({ isPersistent })}
        />
        {errors.isPersistent && <p className={controls.error}>{errors.isPersistent}</p>}
      </div>
    </>
  );
}
