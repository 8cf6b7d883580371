import { systemContractsForTests } from '../../../../hack/contracts/forTests.ts';
import type { ChainType } from '../../../api/resources/chainSpecs.ts';
import type { EvmDriver } from '../driver.ts';
import { startTestChain, type TestChain } from './testChain.ts';

const systemContracts = systemContractsForTests();

/** Tests of one chain type, on one running engine that they share. */
export function describeChain(
  type: ChainType,
  driver: EvmDriver,
  tests: (chain: () => TestChain) => void,
): void {
  describe(type, () => {
    let chain: TestChain;
    beforeAll(async () => {
      chain = await startTestChain({ type, driver, systemContracts });
    });
    afterAll(() => chain.stop());
    tests(() => chain);
  });
}
