import type { AccessRule, ProcessAccess } from '../../core/api/access/rbac/rule.ts';
import { peopleAccess, processAccess } from '../../core/api/access/rbac.ts';
import { generatedNote } from './crd.ts';

const api = 'rbac.authorization.k8s.io';

interface Names {
  /** Of the role and its binding. */
  role: string;
  account: string;
}

/** Roles and bindings of both processes and the additions to the cluster's own roles, as a chart template. */
export function rbacTemplate(): string {
  const processes = Object.entries(processAccess).flatMap(([process, access]) =>
    processParts(process, access),
  );
  const people = Object.entries(peopleAccess).map(([role, rules]) => peoplePart(role, rules));
  return `${generatedNote}${[...processes, ...people].join('---\n')}`;
}

function processParts(process: string, access: ProcessAccess): string[] {
  const account = `{{ include "slipway.${process}.name" . }}`;
  const global = { role: `${account}.{{ .Release.Namespace }}`, account };
  const parts: string[] = [];
  if (access.cluster.length > 0) {
    parts.push(roleOf('ClusterRole', global, access.cluster), bindingOf('ClusterRoleBinding', global));
  }
  if (access.workspaces.length > 0) {
    const names = { role: `${account}-workspace.{{ .Release.Namespace }}`, account };
    const binding = bindingOf('RoleBinding', names, { namespace: '{{ .Values.workspace.namespace }}' });
    parts.push(roleOf('ClusterRole', names, access.workspaces), binding);
  }
  // Bound by the operator itself, in each namespace that it creates.
  if (access.workspaceNamespaces.length > 0) {
    const names = { role: `${account}-home.{{ .Release.Namespace }}`, account };
    parts.push(roleOf('ClusterRole', names, access.workspaceNamespaces));
  }
  if (access.own.length > 0) {
    const names = { role: account, account };
    const binding = bindingOf('RoleBinding', names, {
      namespace: '{{ .Release.Namespace }}',
      roleKind: 'Role',
    });
    parts.push(roleOf('Role', names, access.own), binding);
  }
  return parts;
}

function roleOf(kind: 'Role' | 'ClusterRole', { role }: Names, rules: readonly AccessRule[]): string {
  const namespace = kind === 'Role' ? '{{ .Release.Namespace }}' : undefined;
  return `${head(kind, role, namespace)}${rulesText(rules)}`;
}

/** Placeholders in a rule for the roles that the operator binds in workspaces. */
const roleNames: Record<string, string> = {
  '{workspace role}': '{{ include "slipway.operator.name" . }}-workspace.{{ .Release.Namespace }}',
  '{apiserver workspace role}': '{{ include "slipway.apiserver.name" . }}-workspace.{{ .Release.Namespace }}',
  '{workspace namespace role}': '{{ include "slipway.operator.name" . }}-home.{{ .Release.Namespace }}',
};

interface BindingPlace {
  namespace?: string;
  roleKind?: string;
}

function bindingOf(
  kind: string,
  { role, account }: Names,
  { namespace, roleKind = 'ClusterRole' }: BindingPlace = {},
): string {
  return `${head(kind, role, namespace)}roleRef:
  apiGroup: ${api}
  kind: ${roleKind}
  name: ${role}
subjects:
  - kind: ServiceAccount
    name: ${account}
    namespace: {{ .Release.Namespace }}
`;
}

function peoplePart(role: string, rules: readonly AccessRule[]): string {
  const name = `{{ include "slipway.fullname" . }}-${role}.{{ .Release.Namespace }}`;
  const label = `    ${api}/aggregate-to-${role}: "true"\n`;
  const admin = role === 'edit' ? `    ${api}/aggregate-to-admin: "true"\n` : '';
  return `${head('ClusterRole', name)}${label}${admin}${rulesText(rules)}`;
}

/** Ends inside metadata.labels, so that further labels may follow. */
function head(kind: string, name: string, namespace?: string): string {
  const place = namespace ? `\n  namespace: ${namespace}` : '';
  return `apiVersion: ${api}/v1
kind: ${kind}
metadata:
  name: ${name}${place}
  labels:
    {{- include "slipway.labels" . | nindent 4 }}
`;
}

function rulesText(rules: readonly AccessRule[]): string {
  const rows = rules
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .map(
      ({ reason, groups, resources, verbs, names = [] }) => `  # ${reason}
  - apiGroups: ${list(groups)}
    resources: ${list(resources.toSorted())}
    verbs: ${list(verbs)}
${namesText(names)}`,
    );
  return `rules:\n${rows.join('')}`;
}

/** Their order says nothing to Kubernetes: like this, a rule that comes or goes moves no other. */
function keyOf({ groups, resources, names = [], reason }: AccessRule): string {
  return [groups, resources, names, [reason]].map((part) => part.join()).join(' ');
}

function list(items: readonly string[]): string {
  return `[${items.map((item) => (item === '' ? '""' : item)).join(', ')}]`;
}

function namesText(names: readonly string[]): string {
  if (names.length === 0) return '';
  return `    resourceNames:\n${names.map((name) => `      - ${roleNames[name] ?? name}\n`).join('')}`;
}
