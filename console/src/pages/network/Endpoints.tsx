import { useState } from 'react';
import type { Network } from '../../../../sdk/src/generated/types.ts';
import { isEvm } from '../../lib/chains.ts';
import { chooseTool, tool } from '../../lib/tool.ts';
import { useStore } from '../../lib/useStore.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Snippets } from '../../ui/code/Snippets.tsx';
import surface from '../../ui/surface.module.css';
import { tell, tellFailure } from '../../ui/toasts.ts';
import { endpointsOf, masked } from './endpoints.ts';
import styles from './network.module.css';
import { texts } from './texts.ts';
import { toolSnippets } from './tools.ts';
import { addToWallet, hasWallet } from './wallet.ts';

export function Endpoints({ network }: { network: Network }) {
  const [isShown, setShown] = useState(false);
  const endpoints = endpointsOf(network);
  const snippets = toolSnippets(network);
  const chosen = useStore(tool);
  return (
    <section className={surface.card} aria-label={texts.endpoints}>
      <div className={surface.cardHead}>
        <h2>{texts.endpoints}</h2>
        <div className={styles.tools}>
          {hasWallet() && isEvm(network.spec.chain.type) && <WalletButton network={network} />}
          {endpoints.length > 0 && (
            <Button look="quiet" isSmall icon={isShown ? 'eyeOff' : 'eye'} onClick={() => setShown(!isShown)}>
              {isShown ? texts.hide : texts.show}
            </Button>
          )}
        </div>
      </div>
      <div className={surface.cardBody}>
        <p className={styles.muted}>{endpoints.length > 0 ? texts.endpointsHint : texts.noEndpoints}</p>
        <ul className={styles.endpoints}>
          {endpoints.map(([name, url]) => (
            <li key={name}>
              <span>{name}</span>
              <code>{isShown ? url : masked(url)}</code>
              <CopyButton text={url} label={texts.copyUrl(name)} />
            </li>
          ))}
        </ul>
        {snippets.length > 0 && (
          <div>
            <h3>{texts.tools}</h3>
            <Snippets
              label={texts.tools}
              chosen={chosen}
              onChoose={chooseTool}
              snippets={snippets.map((one) => (isShown ? { ...one, shown: one.text } : one))}
            />
          </div>
        )}
      </div>
    </section>
  );
}

function WalletButton({ network }: { network: Network }) {
  const add = () => void addToWallet(network).then(() => tell(texts.walletAdded), tellFailure);
  return (
    <Button look="quiet" isSmall icon="wallet" onClick={add}>
      {texts.addToWallet}
    </Button>
  );
}
