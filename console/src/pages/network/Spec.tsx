import { lazy, Suspense, useState } from 'react';
import type { Network } from '../../../../sdk/src/generated/types.ts';
import { toYaml } from '../../lib/yaml.ts';
import { useMay } from '../../session/context.tsx';
import { Button } from '../../ui/Button.tsx';
import { Code } from '../../ui/code/Code.tsx';
import styles from './network.module.css';
import { texts } from './texts.ts';

/** The editor has a parser of YAML with it: it is loaded when somebody changes something. */
const ChangePanel = lazy(async () => ({
  default: (await import('../change/ChangePanel.tsx')).ChangePanel,
}));

/** The spec as it is, and the way to change it. */
export function Spec({ network }: { network: Network }) {
  const [isChanging, setChanging] = useState(false);
  const mayWrite = useMay('networks:write');
  if (isChanging) {
    return (
      <Suspense fallback={<p role="status">{texts.loading}</p>}>
        <ChangePanel network={network} onClose={() => setChanging(false)} />
      </Suspense>
    );
  }
  const { metadata, spec } = network;
  return (
    <div className={styles.stack}>
      {mayWrite && (
        <div>
          <Button icon="edit" onClick={() => setChanging(true)}>
            {texts.change}
          </Button>
        </div>
      )}
      <Code label={texts.spec} text={toYaml({ labels: metadata.labels, spec }).trim()} />
    </div>
  );
}
