import { z } from 'zod';
import { buildOpenApi } from '../../core/api/openapi/openapi.ts';
import { replayDocumentSchema } from '../../core/api/rest/replay.ts';
import { behaviourPage, behaviourTestsPage, readSections } from '../behaviour/behaviour.ts';
import { patternsDocument, patternsPage } from '../patterns/page.ts';
import { apiReference } from './apiReference.ts';
import { chainsPage } from './chainsPage.ts';
import { cliReference } from './cliReference.ts';
import { chartTemplate, customResourceDefinition, generatedNote, toYaml } from './crd.ts';
import { definitions } from './definitions.ts';
import { eventsDocument, eventsDocumentText } from './eventTypesTable.ts';
import { extraArgsPage } from './extraArgsPage.ts';
import { lightEngineDocument, lightEngineDocumentText } from './lightEnginePage.ts';
import { metricsReference } from './metricsReference.ts';
import { dashboard } from './monitoring/dashboard.ts';
import { ruleGroups } from './monitoring/rules.ts';
import { rbacTemplate } from './rbac.ts';
import { sdkFiles } from './sdk/files.ts';
import { sdkPage } from './sdk/page.ts';
import { tokensDocument, tokensDocumentText } from './tokenStandards.ts';
import { valuesSchema } from './valuesSchema.ts';

/** A generated file: its path from the repository root, and its content. */
export interface Artefact {
  path: string;
  text: string;
}

/** Every generated file. */
export function artefacts(): Artefact[] {
  const behaviour = readSections();
  return [
    ...definitions.flatMap(resourceArtefacts),
    { path: 'charts/slipway/templates/generated-rbac.yaml', text: rbacTemplate() },
    { path: 'docs/openapi.json', text: toJson(buildOpenApi()) },
    { path: 'docs/api.md', text: apiReference() },
    { path: tokensDocument, text: tokensDocumentText() },
    { path: eventsDocument, text: eventsDocumentText() },
    chainsPage(),
    extraArgsPage(),
    cliReference(),
    { path: lightEngineDocument, text: lightEngineDocumentText() },
    valuesSchema(),
    { path: 'docs/behaviour.md', text: behaviourPage(behaviour) },
    { path: 'docs/behaviour-tests.md', text: behaviourTestsPage(behaviour) },
    { path: 'charts/slipway/files/alerts.yaml', text: generatedNote + toYaml(ruleGroups()) },
    { path: 'charts/slipway/files/dashboard.json', text: toJson(dashboard()) },
    { path: 'docs/metrics.md', text: metricsReference() },
    { path: patternsDocument, text: patternsPage() },
    { path: 'docs/schemas/replay-v1.json', text: toJson(replaySchema()) },
    ...sdkFiles(),
    sdkPage(),
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

/** For files that people keep in repositories and validate with their own tools. */
function replaySchema() {
  return {
    title: 'Slipway replay document, version 1',
    ...z.toJSONSchema(replayDocumentSchema, { io: 'input' }),
  };
}

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
