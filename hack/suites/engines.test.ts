import { heavyEngineNames } from '../up/heavyEngines.ts';
import { enginesOf, engineTests } from './engines.ts';

it('the tests of one family need only its own engines', () => {
  expect(enginesOf('thorchain.test.ts')).toEqual(['thornode']);
  expect(enginesOf('ethereumFinality.long.test.ts')).not.toContain('solana');
  expect(enginesOf('ethereumPlugins.long.test.ts')).toEqual(expect.arrayContaining(['geth', 'chainlink']));
  expect(enginesOf('solanaForks.test.ts')).toEqual(['solana-dev']);
  expect(enginesOf('solanaReal.test.ts')).toEqual(['solana']);
});

it('a test file for several families needs all engines', () => {
  expect(enginesOf('scene.test.ts')).toEqual(heavyEngineNames);
});

it('each engine is covered by a test file of its family', () => {
  const ofFamilies = engineTests().filter((file) => enginesOf(file) !== heavyEngineNames);
  const tested = new Set(ofFamilies.flatMap((file) => enginesOf(file)));
  expect([...tested].sort()).toEqual([...heavyEngineNames].sort());
});
