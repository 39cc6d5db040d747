import { createHash, timingSafeEqual } from 'node:crypto';
import type { Knex } from 'knex';
import type { Context, Middleware } from 'koa';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Clock } from '#server/clock.ts';
import { queryRow, queryRows } from '#server/db/sql.ts';
import { AppError } from '#server/http/errors.ts';

/** Histogram buckets in seconds; a preview of a large document takes ten. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30];

interface MetricDependencies {
  db: Knex;
  clock: Clock;
  /** The bearer token that Prometheus must send. */
  token: string;
  version: string;
  disk: () => Promise<{ free: number; size: number }>;
  /** Sizes of the database file and its write-ahead log, in bytes. */
  databaseFiles: () => Promise<{ file: number; log: number }>;
  /** Expiry of the certificate; null without one. */
  certificateEnds: () => Date | null;
  /** Time of the last successful backup, null before the first one; undefined where no place for backups is set. */
  lastBackup: () => Promise<Date | null | undefined>;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The route pattern, such as `/api/documents/:id`; never the path itself, which may contain names. */
function routeOf(ctx: Context): string {
  const { _matchedRoute: route } = ctx as unknown as { _matchedRoute?: unknown };
  if (typeof route === 'string') return route;
  if (ctx.path.startsWith('/_astro/')) return 'asset';
  return ctx.status === 404 ? 'none' : 'page';
}

/** Prometheus metrics: requests are counted as they end, database figures are queried on each scrape. */
export function createMetrics(dependencies: MetricDependencies) {
  const { db, clock, token, version } = dependencies;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Histogram({
    name: 'almirah_http_request_seconds',
    help: 'How long requests took, by route, method and status',
    labelNames: ['route', 'method', 'status'] as const,
    buckets: BUCKETS,
    registers,
  });
  const cut = new Counter({
    name: 'almirah_http_requests_cut_total',
    help: 'Requests whose answer did not go out whole',
    registers,
  });
  new Gauge({
    name: 'almirah_info',
    help: 'The version that runs',
    labelNames: ['version'] as const,
    registers,
  }).set({ version }, 1);

  function gauge<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    read: (gauge: Gauge<L>) => Promise<void>,
  ) {
    const made = new Gauge<L>({
      name: `almirah_${name}`,
      help,
      labelNames,
      registers: [],
      async collect() {
        this.reset();
        // Without labels it is 0 then: a backup that is never made would look like a fresh one.
        if (labelNames.length === 0) this.remove();
        // A figure that cannot be read now is left out; the others are still reported.
        await read(this).catch(() => {});
      },
    });
    registry.registerMetric(made as Gauge);
  }

  gauge('jobs', 'Background jobs by kind and status', ['kind', 'status'], async (gauge) => {
    const rows = await queryRows<{ kind: string; status: string; n: number }>(
      db,
      'SELECT kind, status, count(*) AS n FROM jobs GROUP BY kind, status',
    );
    for (const { kind, status, n } of rows) gauge.set({ kind, status }, Number(n));
  });
  gauge('queue_age_seconds', 'For how long the oldest job that is due has waited', [], async (gauge) => {
    const now = clock();
    const row = await queryRow<{ due: string | null }>(
      db,
      `SELECT min(due_at) AS due FROM jobs WHERE status = 'starting' AND due_at <= ?`,
      [now.toISOString()],
    );
    gauge.set(row?.due ? (now.getTime() - Date.parse(row.due)) / 1000 : 0);
  });
  gauge(
    'stored_bytes',
    'Bytes of the files that are there, Trash and versions not counted',
    [],
    async (gauge) => {
      const row = await queryRow<{ n: number | null }>(db, 'SELECT sum(bytes) AS n FROM firm_usage');
      gauge.set(Number(row?.n ?? 0));
    },
  );
  gauge('sessions', 'Sign-ins that have not ended', [], async (gauge) => {
    const row = await queryRow<{ n: number }>(db, 'SELECT count(*) AS n FROM sessions');
    gauge.set(Number(row?.n ?? 0));
  });
  gauge('database_bytes', 'How large the database is', ['part'], async (gauge) => {
    const sizes = await dependencies.databaseFiles();
    for (const [part, bytes] of Object.entries(sizes)) gauge.set({ part }, bytes);
  });
  gauge('disk_bytes', 'The disk of the data folder', ['state'], async (gauge) => {
    const { free, size } = await dependencies.disk();
    gauge.set({ state: 'free' }, free);
    gauge.set({ state: 'size' }, size);
  });
  gauge('certificate_ends_seconds', 'When the certificate ends, as Unix time', [], async (gauge) => {
    const ends = dependencies.certificateEnds();
    if (ends) gauge.set(ends.getTime() / 1000);
  });
  gauge(
    'backup_age_seconds',
    'How long ago the last good backup was; +Inf before the first, left out without BACKUP_DIR',
    [],
    async (gauge) => {
      const last = await dependencies.lastBackup();
      if (last !== undefined) gauge.set(last ? (clock().getTime() - last.getTime()) / 1000 : Infinity);
    },
  );

  function requireToken(ctx: Context): void {
    const received = /^Bearer +(\S+)$/i.exec(ctx.get('authorization'))?.[1] ?? '';
    if (!timingSafeEqual(digest(received), digest(token)))
      throw new AppError(
        401,
        'unauthenticated',
        'Show the token of METRICS_TOKEN as "Authorization: Bearer …".',
      );
  }

  const answer: Middleware = async (ctx, next) => {
    if (ctx.path === '/metrics') {
      requireToken(ctx);
      ctx.type = registry.contentType;
      ctx.set('Cache-Control', 'no-store');
      ctx.body = await registry.metrics();
      return undefined;
    }
    const ended = requests.startTimer();
    ctx.res.once('close', () => {
      const { writableFinished } = ctx.res;
      if (!writableFinished) cut.inc();
      ended({ route: routeOf(ctx), method: ctx.method, status: String(ctx.status) });
    });
    return next();
  };
  return { answer };
}
