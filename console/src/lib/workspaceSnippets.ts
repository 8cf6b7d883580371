import { curlOf, type Snippet, sdkOf } from './snippets.ts';

interface Creation {
  /** Id of the workspace. */
  workspace: string;
  /** What of the workspace is created, as its path and the client name it. */
  what: { path: string; call: string };
  body: object;
  cli: string;
}

/** How else to create what belongs to a workspace: its id is in the path, and the first parameter of the client. */
export function workspaceSnippets({ workspace, what: { path, call }, body, cli }: Creation): Snippet[] {
  const inWorkspace = `/workspace/v1alpha1/workspaces/${workspace}/${path}`;
  return [
    { name: 'curl', text: curlOf(inWorkspace, body, workspace) },
    { name: 'CLI', text: cli },
    { name: 'SDK', text: sdkOf(call, body).replace(`${call}(`, () => `${call}('${workspace}', `) },
  ];
}
