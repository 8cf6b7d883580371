/** A tag alone, as opposed to a reference with a registry, a repository with a tag, or a digest. */
const bareTag = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;

/** The image that a spec names: a complete reference, or `:` and a tag of the installation's repository. */
export function imageOfTag(text: string): string {
  return bareTag.test(text) ? `:${text}` : text;
}

/** The complete reference: `:tag` is a tag of the repository of `usual`. */
export function completeImage(image: string | undefined, usual: string): string {
  if (!image?.startsWith(':')) return image ?? usual;
  const [named = ''] = usual.split('@');
  return `${named.replace(/:[^:/]*$/, '')}${image}`;
}
