# The program with its pages built; documents and key lie in the volume /data.
# With a compiler, for SQLite with its encryption.
FROM node:24-bookworm AS build
WORKDIR /app
COPY . .
# What the networks that read scans have for other systems is a fifth of all.
RUN node server/tools/prepare.mjs start \
    && rm -rf node_modules/.cache node_modules/onnxruntime-node/bin/*/darwin node_modules/onnxruntime-node/bin/*/win32

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    DATA_DIR=/data \
    MALLOC_MMAP_THRESHOLD_=1048576 \
    NODE_COMPILE_CACHE=/tmp/compiled
# What confines the processes that read files, where the host lets a container have user namespaces (see compose.yaml).
RUN apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends bubblewrap \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build --chown=root:root /app/package.json /app/knexfile.ts ./
COPY --from=build --chown=root:root /app/node_modules ./node_modules
COPY --from=build --chown=root:root /app/migrations ./migrations
COPY --from=build --chown=root:root /app/storage ./storage
COPY --from=build --chown=root:root /app/server ./server
COPY --from=build --chown=root:root /app/site ./site
COPY --from=build --chown=root:root /app/dist ./dist
RUN mkdir /data && chown node:node /data && chmod 700 /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "--max-semi-space-size=16", "--no-parallel-scavenge", "--max-old-space-size=1536", "--expose-gc", "server/main.ts"]
