import type { Answer } from './readAnswer.ts';

/** A call that has no answer yet. */
export interface Pending {
  networkUid: string;
  answer: Promise<Answer>;
}

/** Calls with the same question. A network waits for its own turn, which may come long before that of another one. */
export interface Questions {
  /** The call whose answer one of the network gets, too: that which the source is asked, or the first of the network. */
  find(key: string, networkUid: string): Pending | undefined;
  /** `work` calls `begin` in its turn: undefined if it is to ask the source, else the call that does already. */
  ask(
    key: string,
    networkUid: string,
    work: (begin: () => Pending | undefined) => Promise<Answer>,
  ): Promise<Answer>;
}

interface Question {
  /** Of each network, the first call. */
  first: Map<string, Pending>;
  /** The one of them that the source is asked. */
  asked: Pending | undefined;
}

export function createQuestions(): Questions {
  const questions = new Map<string, Question>();
  return {
    find(key, networkUid) {
      const { asked, first } = questions.get(key) ?? {};
      return asked ?? first?.get(networkUid);
    },
    async ask(key, networkUid, work) {
      const question = questions.get(key) ?? { first: new Map<string, Pending>(), asked: undefined };
      questions.set(key, question);
      const begin = () => {
        const other = question.asked;
        // Should the other one fail for the limits of its network, this call is asked like a new one.
        if (other) question.first.delete(networkUid);
        else question.asked = own;
        return other;
      };
      const own: Pending = { networkUid, answer: work(begin) };
      question.first.set(networkUid, own);
      try {
        return await own.answer;
      } finally {
        if (question.asked === own) question.asked = undefined;
        if (question.first.get(networkUid) === own) question.first.delete(networkUid);
        if (question.first.size === 0 && questions.get(key) === question) questions.delete(key);
      }
    },
  };
}
