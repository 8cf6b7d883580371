import { Section } from '../../parts/Section.tsx';
import { TextField } from '../../ui/Field.tsx';
import { BasicFields, EvmFields, type FieldsProps, ForkFields, ProfileField } from './fields.tsx';
import { fieldsOf } from './form.ts';
import { ClientFields, LifetimeFields, MemberFields, PluginFields, ThorchainFields } from './moreFields.tsx';
import { texts } from './texts.ts';

/** The settings that the chosen type has. */
export function FormFields(props: FieldsProps) {
  const { form, errors, set } = props;
  const has = fieldsOf(form.type);
  return (
    <>
      <Section title={texts.basics}>
        <BasicFields {...props} />
        {has.members && <MemberFields {...props} />}
      </Section>
      {!has.members && (
        <Section title={texts.chain}>
          {has.profile && <ProfileField {...props} />}
          <TextField
            label={texts.chainID}
            hint={texts.chainIDHint}
            error={errors.chainID}
            value={form.chainID}
            isOptional
            onChange={(chainID) => set({ chainID })}
          />
          {has.evm && <EvmFields {...props} />}
          {has.thorchain && <ThorchainFields {...props} />}
          {has.clients && <ClientFields {...props} />}
          {has.fork && <ForkFields {...props} />}
          {has.plugins.length > 0 && <PluginFields {...props} />}
        </Section>
      )}
      <Section title={texts.lifetime}>
        <LifetimeFields {...props} />
      </Section>
    </>
  );
}
