import { chartTemplate, customResourceDefinition, generatedNote, toYaml } from './crd.ts';
import { definitions } from './definitions.ts';
import { rbacTemplate } from './rbac.ts';

/** A generated file: its path from the root of the checkout, and what it holds. */
export interface Artefact {
  path: string;
  text: string;
}

/** Every generated file. */
export function artefacts(): Artefact[] {
  return [
    ...definitions.flatMap(resourceArtefacts),
    { path: 'charts/slipway/templates/generated-rbac.yaml', text: rbacTemplate() },
  ];
}

function resourceArtefacts(definition: (typeof definitions)[number]): Artefact[] {
  const manifest = customResourceDefinition(definition);
  const file = `${definition.type.plural}.yaml`;
  return [
    { path: `crds/${file}`, text: generatedNote + toYaml(manifest) },
    { path: `charts/slipway/templates/crds/${file}`, text: chartTemplate(manifest) },
  ];
}
