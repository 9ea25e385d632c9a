# The local service.
# The image also has the development packages that make the pages.
FROM node:24-trixie-slim@sha256:8ec5d7557396cfe32d21c3f9c13072355ceab22b584578ca4bb28af31120cffe AS development
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit

FROM node:24-trixie-slim@sha256:8ec5d7557396cfe32d21c3f9c13072355ceab22b584578ca4bb28af31120cffe
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --omit=dev && npm cache clean --force
COPY --from=development /app/node_modules/beautiful-mermaid node_modules/beautiful-mermaid
COPY --from=development /app/node_modules/elkjs node_modules/elkjs
COPY --from=development /app/node_modules/entities node_modules/entities
COPY --from=development /app/node_modules/@esbuild node_modules/@esbuild
COPY --from=development /app/node_modules/esbuild node_modules/esbuild
COPY --from=development /app/node_modules/highlight.js node_modules/highlight.js
COPY --from=development /app/node_modules/marked node_modules/marked
COPY --from=development /app/node_modules/minisearch node_modules/minisearch
COPY --from=development /app/node_modules/preact node_modules/preact
COPY . .
RUN install -d -m 700 -o 1000 -g 1000 /data
USER 1000
VOLUME /data
# All regions, and us, au and eu alone. Publish them on 127.0.0.1: whoever reaches them may do what the demo keys may.
EXPOSE 4000 4001 4002 4003
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4000/_local/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/start.mjs", "--host", "0.0.0.0", "--data", "/data"]
