import { useChain, useExplored } from '../../../console/src/pages/explorer/context.tsx';
import { Loaded } from '../../../console/src/pages/explorer/parts/Loaded.tsx';
import { Card, Rows } from '../../../console/src/pages/explorer/parts/Rows.tsx';
import { texts } from '../../../console/src/pages/explorer/texts.ts';
import { useInside } from '../../../console/src/session/context.tsx';
import { Code } from '../../../console/src/ui/code/Code.tsx';
import surface from '../../../console/src/ui/surface.module.css';

/** The source of a verified contract. */
export function Source({ address }: { address: string }) {
  const { client } = useInside();
  const { network } = useExplored();
  const contract = useChain(['source', address], () => client.contracts.get({ id: network.id, address }));
  return (
    <Loaded of={contract}>
      {({ sources, abi, compiler, match }) => (
        <Card title={texts.sources}>
          <Rows
            rows={[
              [texts.compiler, compiler],
              [texts.verified, match],
            ]}
          />
          <div className={surface.cardBody}>
            {Object.entries(sources).map(([path, text]) => (
              <div key={path}>
                <h3>{path}</h3>
                <Code label={path} text={text} />
              </div>
            ))}
            <h3>{texts.abi}</h3>
            <Code label={texts.abi} text={JSON.stringify(abi, undefined, 2)} />
          </div>
        </Card>
      )}
    </Loaded>
  );
}
