# The service image: the API server, the admission webhook, the fork proxy, the operator, Jobs and programs of plugins, one command each. Build the bundles first with `npm run build`.
ARG NODE_IMAGE=node:24-bookworm-slim@sha256:ba849c60be29959425b8734d57b8b4b7d56f98edd9504c9af091d5281095a71e
FROM ${NODE_IMAGE}
COPY dist/service/package.json dist/service/apiserver.js dist/service/admission.js dist/service/forks.js dist/service/operator.js dist/service/dfns.js dist/service/keys.js dist/service/reseal.js dist/service/vrf.js dist/service/signWorker.js dist/service/tracing.js dist/service/system-contracts.json /app/
COPY dist/service/token-contracts /app/token-contracts/
COPY dist/service/console /app/console/
COPY dist/service/licences /app/licences/
WORKDIR /app
ENV NODE_ENV=production
USER 65532:65532
ENTRYPOINT ["node"]
CMD ["/app/apiserver.js"]
