import type { Answer } from './readAnswer.ts';

/*
 * anvil asks for an account with one call or with three, and for the rest of its life in the way that its source answered
 * first (foundry-fork-db, backend.rs). Few providers know the one call. So it is answered with the three, and forks that
 * chose differently share their answers.
 */
export const accountInfoMethod = 'eth_getAccountInfo';

const members = {
  eth_getBalance: 'balance',
  eth_getTransactionCount: 'nonce',
  eth_getCode: 'code',
} as const;

/** The answer to `eth_getAccountInfo` from those that `ask` gives to the three methods, or the first error among them. */
export async function accountInfoFrom(ask: (method: string) => Promise<Answer>): Promise<Answer> {
  const answers = await Promise.all(
    Object.entries(members).map(async ([method, member]) => ({ member, answer: await ask(method) })),
  );
  const texts: string[] = [];
  for (const { member, answer } of answers) {
    if ('error' in answer) return answer;
    texts.push(`"${member}":${answer.result}`);
  }
  return { result: `{${texts.join(',')}}` };
}
