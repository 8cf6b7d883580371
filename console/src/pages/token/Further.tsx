import { type FormEvent, useState } from 'react';
import type { Network, Token } from '../../../../sdk/src/generated/types.ts';
import { errorsAt, noFieldErrors } from '../../forms/fieldErrors.ts';
import { digitsOf, fromSmallestUnits } from '../../lib/units.ts';
import { chosenOf, evmNetworks, type NetworkChoice, noChoice } from '../../parts/choice.ts';
import { FormProblems } from '../../parts/FormProblems.tsx';
import { NetworkPicker } from '../../parts/NetworkPicker.tsx';
import { Section } from '../../parts/Section.tsx';
import { NotStreamed } from '../../parts/Streamed.tsx';
import { texts as partTexts } from '../../parts/texts.ts';
import { useInside, useKind, useStream } from '../../session/context.tsx';
import { Button } from '../../ui/Button.tsx';
import controls from '../../ui/controls.module.css';
import page from '../../ui/page.module.css';
import { tell } from '../../ui/toasts.ts';
import { ArgFields } from '../deploy/ArgFields.tsx';
import { places } from '../deploy/errors.ts';
import { type ArgTexts, endpointOn, toArgs } from '../deploy/form.ts';
import { argLooks, askedArgs, pathOf, type StandardPath } from '../deploy/standards.ts';
import { texts } from './texts.ts';

/** Deploys the token on networks that do not have it. */
export function Further({ token }: { token: Token }) {
  const { objects } = useKind('network');
  const { isComplete } = useStream();
  const path = pathOf(token);
  const present = new Set(token.deployments?.map(({ network_id }) => network_id));
  const networks = evmNetworks(objects.values()).filter(({ id }) => !present.has(id));
  if (networks.length === 0 && !isComplete) return <NotStreamed what={partTexts.theNetworks} />;
  if (!path || networks.length === 0) return <p className={page.muted}>{texts.allThere}</p>;
  return <FurtherForm token={token} path={path} networks={networks} />;
}

/** The args of the first deployment, as they would be typed. */
function firstArgs({ deployments = [], decimals }: Token, path: StandardPath): ArgTexts {
  const args = deployments[0]?.args ?? {};
  const text = (name: keyof typeof argLooks): string => {
    const value = args[name];
    if (value === undefined || name === 'layer_zero_endpoint') return '';
    const isAmount = ['amount', 'number'].includes(argLooks[name]);
    if (isAmount)
      return fromSmallestUnits(typeof value === 'number' ? digitsOf(value) : String(value), decimals);
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
  return Object.fromEntries(askedArgs(path).map(({ name }) => [name, text(name)]));
}

interface FurtherFormProps {
  token: Token;
  path: StandardPath;
  networks: readonly Network[];
}

function FurtherForm({ token, path, networks }: FurtherFormProps) {
  const [choice, setChoice] = useState(noChoice);
  const [args, setArgs] = useState(() => firstArgs(token, path));
  const { add, errors, isBusy } = useAddition(token, () => setChoice(noChoice));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void add({ path, args, networks: chosenOf(networks, choice) });
  };
  return (
    <form className={page.stack} onSubmit={submit} noValidate>
      <FormProblems lines={errors.rest} />
      <Section title={texts.tabs.further}>
        <NetworkPicker
          networks={networks}
          choice={choice}
          error={errors.at.networks}
          onChange={(next: NetworkChoice) => setChoice(next)}
        />
        <p className={`${controls.hint} ${page.wide}`}>{texts.furtherText}</p>
        <ArgFields
          path={path}
          args={args}
          decimals={token.decimals}
          errors={errors.at}
          onChange={(next) => setArgs(next)}
        />
      </Section>
      <div>
        <Button type="submit" look="primary" isBusy={isBusy}>
          {texts.addNetworks}
        </Button>
      </div>
    </form>
  );
}

interface Addition {
  path: StandardPath;
  args: ArgTexts;
  networks: readonly Network[];
}

/** One request for all networks with the same args: the endpoint of LayerZero may differ between them. */
function useAddition({ id, decimals }: Token, onDone: () => void) {
  const { client, observe } = useInside();
  const { objects } = useKind('network');
  const [errors, setErrors] = useState(noFieldErrors);
  const [isBusy, setBusy] = useState(false);
  async function add({ path, args, networks }: Addition): Promise<void> {
    if (isBusy) return;
    if (networks.length === 0) return setErrors({ ...noFieldErrors, at: { networks: texts.noNetwork } });
    setErrors(noFieldErrors);
    setBusy(true);
    const byArgs = Map.groupBy(networks, (network) =>
      JSON.stringify(toArgs({ path, args }, decimals, endpointOn(network, objects.values()))),
    );
    try {
      for (const [text, group] of byArgs) {
        const body = { networks: group.map((one) => one.id), args: JSON.parse(text) };
        observe(await client.tokens.addDeployments(id, body));
      }
      tell(texts.added);
      onDone();
    } catch (error) {
      setErrors(errorsAt(error, places));
    } finally {
      setBusy(false);
    }
  }
  return { add, errors, isBusy };
}
