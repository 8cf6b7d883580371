import { admin } from '../../../../apiserver/testing/accountsApi.ts';
import { expectCalm, type Story } from '../../../../apiserver/testing/crash.ts';

const post = (path: string, body: object, token: string | null = admin) => ({
  token,
  path,
  options: { body },
});

const stories: [name: string, story: Story][] = [
  [
    'an approved machine gets its API key',
    async (world) => {
      const { deviceCode, userCode } = await world.post(admin, '/device-sign-ins', { name: 'build-7' });
      const approval = { userCode, name: 'from the terminal', role: 'viewer' };
      await world.post(admin, '/workspaces/default/device-sign-ins', approval);
      return post('/device-sign-ins/api-key', { deviceCode }, null);
    },
  ],
];

test.each(stories)(
  '%s: a crash at any write and a repeat leave the same as a calm run',
  async (_name, story) => expectCalm(story),
);
