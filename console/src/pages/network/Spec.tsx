import { useState } from 'react';
import type { Network } from '../../../../sdk/src/generated/types.ts';
import { toYaml } from '../../lib/yaml.ts';
import { part } from '../../loading/part.tsx';
import { useMay } from '../../session/context.tsx';
import { Button } from '../../ui/Button.tsx';
import { Code } from '../../ui/code/Code.tsx';
import styles from './network.module.css';
import { texts } from './texts.ts';

/** The editor has a parser of YAML with it: it is loaded when somebody changes something. */
const ChangePanel = part(() => import('../change/ChangePanel.tsx').then((file) => file.ChangePanel));

/** The spec as it is, and the way to change it. */
export function Spec({ network }: { network: Network }) {
  const [isChanging, setChanging] = useState(false);
  const mayWrite = useMay('networks:write');
  if (isChanging) {
    return <ChangePanel network={network} onClose={() => setChanging(false)} />;
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
