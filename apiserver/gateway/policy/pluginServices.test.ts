import { testPlugin } from '../../../core/plugins/testing/testPlugin.ts';
import { servicesOf } from './families.ts';
import { pluginServicesOf } from './pluginServices.ts';

const path = 'spec.chain.ethereum.plugins.vrf';
const mpc = { name: 'vrf', config: { type: 'mpc' }, path } as const;

it.each([
  ['everybody may use', 'vrf', 'public'],
  ['holders of the admin URL may use', 'vrf-admin', 'admin'],
])('a plugin has services that %s', (_reason, name, needs) => {
  const services = pluginServicesOf([mpc], { vrf: testPlugin });
  expect(services.get(name)).toEqual({
    kind: 'plainHttp',
    ports: [name],
    needs,
    isApplication: true,
  });
});

it.each([
  ['of a plugin that this version does not run', [mpc], {}],
  ['that its config leaves out', [{ ...mpc, config: {} }], { vrf: testPlugin }],
])('there is no service %s', (_reason, chosen, registered) => {
  expect(pluginServicesOf(chosen, registered).get('vrf')).toBeUndefined();
});

it('a network keeps the services of its chain beside those of its plugins', () => {
  const network = { type: 'Base', plugins: [mpc] } as const;
  expect(servicesOf(network).get('rpc')).toEqual(servicesOf({ type: 'Base' }).get('rpc'));
});
