import { Section } from '../../parts/Section.tsx';
import { TextField } from '../../ui/Field.tsx';
import { EvmFields, type FieldsProps, ForkFields, ProfileField } from '../create/fields.tsx';
import { fieldsOf } from '../create/form.ts';
import { LifetimeFields, PluginFields, ThorchainFields } from '../create/moreFields.tsx';
import { texts as createTexts } from '../create/texts.ts';
import { texts } from './texts.ts';

/** What can be changed of a network, and is changed most. */
export function ChangeFields(props: FieldsProps) {
  const { form, errors, set } = props;
  const has = fieldsOf(form.type);
  return (
    <>
      <Section title={texts.lifetime}>
        <LifetimeFields {...props} />
      </Section>
      {!has.members && (
        <Section title={texts.settings}>
          {has.plugins.length > 0 && <PluginFields {...props} />}
          {has.profile && <ProfileField {...props} />}
          <TextField
            label={createTexts.chainID}
            hint={createTexts.chainIDHint}
            error={errors.chainID}
            value={form.chainID}
            isOptional
            onChange={(chainID) => set({ chainID })}
          />
          {has.evm && <EvmFields {...props} />}
          {has.thorchain && <ThorchainFields {...props} />}
          {has.fork && <ForkFields {...props} />}
        </Section>
      )}
    </>
  );
}
