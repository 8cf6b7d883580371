import { buildModule } from '@nomicfoundation/hardhat-ignition/modules';

export default buildModule('Counters', (m) => {
  const first = m.contract('Counter', [40], { id: 'first' });
  const counted = m.call(first, 'increment');
  const second = m.contract('Counter', [m.staticCall(first, 'number', [], 0, { after: [counted] })], {
    id: 'second',
  });
  return { first, second };
});
