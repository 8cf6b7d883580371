import { buildConsole } from '../../hack/console/build.ts';
await buildConsole('/tmp/h-oidc/console');
