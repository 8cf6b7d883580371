/** What becomes of the answer to a request. */
type Pass = <T>(answer: Promise<T>) => Promise<T>;

/** The same cluster, or a part of its interface, where each answer goes through `pass`. Watches, which answer nothing, do not. */
export function withAnswers<K extends object>(kube: K, pass: Pass): K {
  const through = (member: unknown): unknown => {
    if (typeof member !== 'function') return member;
    return (...args: unknown[]) => {
      const answer: unknown = member.apply(kube, args);
      return answer instanceof Promise ? pass(answer) : answer;
    };
  };
  return Object.fromEntries(Object.entries(kube).map(([name, member]) => [name, through(member)])) as K;
}
