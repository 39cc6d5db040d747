import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { AppDependencies } from '../app.ts';
import { buildApp } from '../app.ts';
import type { Config } from '../config/config.ts';
import { BadConfig, LOOPBACK } from '../config/config.ts';
import { closedDescriptor, missingBackupFolder, missingPlaces, warningsOf } from '../config/warnings.ts';
import { databaseBytes } from '../db/postgres/size.ts';
import { sharedLockOf } from '../db/processes.ts';
import { createColumnSealer } from '../db/column-encryption.ts';
import { measureDisk } from '../datadir/disk-reserve.ts';
import { freeMemoryWhenIdle } from './idle-memory.ts';
import { createLog } from './log.ts';
import { listen } from './listen.ts';
import { keptDatabases } from '../datadir/update-snapshot.ts';
import type { Notifier } from './notify.ts';
import { createNotifier } from './notify.ts';
import { updatesOf, vaultDeletionLock } from './updates.ts';
import { version } from './version.ts';
import { OUTBOX_FOLDER, OUTBOX_PURPOSE } from '../mail/outbox.ts';
import { folderTransport, smtpTransport } from '../mail/transport.ts';
import type { Services } from '../services.ts';
import { compose } from '../services.ts';
import { watchRemoteTime } from '../system/remote-time.ts';
import { keepAnchor } from '../audit/anchor.ts';
import type { DataDir } from '../datadir/datadir.ts';
import { openDataDir } from '../datadir/datadir.ts';
import { whereaboutsInWords, whereKeyLies } from '../datadir/keys/whereabouts.ts';
import { unlockSettings } from './locked-server.ts';
import { settingsAtStart } from './settings.ts';
import type { Tls } from '../tls/service.ts';
import { TLS_PURPOSE } from '../tls/key-store.ts';
import { openTls } from '../tls/service.ts';
import { trustAddress } from '../tls/trust-address.ts';
import { DATABASE_FILE } from '../../knexfile.ts';

/** Time for requests in progress to end when the server stops. */
const GRACE_MS = 25_000;

export type Site = NonNullable<AppDependencies['site']>;

async function settings(): Promise<Config> {
  try {
    return await settingsAtStart(process.env);
  } catch (error) {
    if (!(error instanceof BadConfig)) throw error;
    process.stderr.write(
      `Almirah did not start. Correct these settings:\n  ${error.problems.join('\n  ')}\n`,
    );
    process.exit(1);
  }
}

/** A parent that was killed passes no signal on; without this check its server would keep running. */
function whenParentExits(parent: number, then: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    then();
  }, 1000).unref();
}

/** Null without METRICS_TOKEN: then nothing is counted, and the library is not loaded. */
async function metricsOf(
  { metricsToken: token, dataDir, databaseUrl }: Config,
  { db }: DataDir,
  { backups }: Services,
  tls: Tls | null,
) {
  if (token === null) return null;
  const { createMetrics } = await import('../metrics/service.ts');
  const bytesOf = (name: string) =>
    stat(join(dataDir, name)).then(
      ({ size }) => size,
      () => 0,
    );
  return createMetrics({
    db,
    clock: () => new Date(),
    token,
    version,
    disk: () => measureDisk(dataDir),
    databaseFiles: async () =>
      databaseUrl
        ? { file: await databaseBytes(db), log: 0 }
        : { file: await bytesOf(DATABASE_FILE), log: await bytesOf(`${DATABASE_FILE}-wal`) },
    certificateEnds: () => (tls ? new Date(tls.view().valid_until) : null),
    lastBackup: async () => {
      const summary = await backups.summary();
      if (!summary) return undefined;
      return summary.last_at === null ? null : new Date(summary.last_at);
    },
  });
}

/**
 * An update runs a trial of the new version on the loopback address: it serves requests but starts no
 * background work.
 */
const isTrial = () => process.env.ALMIRAH_TRIAL === 'on';

async function run(
  initial: Config,
  log: Logger,
  systemd: Notifier,
  openSite: () => Promise<Site>,
): Promise<void> {
  const trial = isTrial();
  if (trial && !LOOPBACK.has(initial.host)) throw new Error('A trial listens on this machine alone.');
  // From here on the master key is available, however it is stored.
  const { config, locked } = await unlockSettings(initial, log, systemd);
  const remoteTime = watchRemoteTime();
  const updates = updatesOf(config.dataDir, log);
  const [vault, site] = await Promise.all([openDataDir(config, log, updates.beforeOpening), openSite()]);
  const tlsSeal = createColumnSealer(vault.secret, TLS_PURPOSE);
  const tls = locked ? locked.tls : config.https && (await openTls(config.https, config, log, tlsSeal));
  const { smtpUrl } = config.mail;
  const services = compose({
    ...vault,
    transport: smtpUrl
      ? smtpTransport(smtpUrl)
      : folderTransport(
          join(config.dataDir, OUTBOX_FOLDER),
          createColumnSealer(vault.secret, OUTBOX_PURPOSE),
        ),
    config,
    log,
    otherDatabases: () => keptDatabases(config.dataDir),
    deletionLock: vaultDeletionLock(config.dataDir, sharedLockOf(vault.processes)),
    backups: { ...config, settings: config.backups, tryLock: sharedLockOf(vault.processes) },
    machine: {
      version,
      startedAt: new Date(),
      disk: () => measureDisk(config.dataDir),
      storage: async () =>
        (await vault.bucket?.answers().then(
          () => null,
          (error: Error) => error.message,
        )) ?? null,
      certificate: () => tls?.view() ?? null,
      key: async () => {
        const { well, text } = whereaboutsInWords(await whereKeyLies(initial));
        return { well, about: text };
      },
      remoteTime: remoteTime.latest,
      lastUpdate: updates.view,
    },
  });
  const { installationAdmins } = config;
  for (const email of await services.system.admins.withoutAccount())
    log.warn(
      `INSTALLATION_ADMINS names an address (number ${installationAdmins.indexOf(email) + 1} of ${installationAdmins.length}) for which there is no account. Whoever registers with it looks after this installation.`,
    );
  const chained = await services.audit.chainOlder();
  if (chained > 0) log.info(`The history (${chained} entries) is proven by a chain of hashes from now on.`);
  const anchor = trial ? null : await keepAnchor(config.dataDir, services.audit, log);
  let ready = false;
  const metrics = await metricsOf(config, vault, services, tls);
  const app = buildApp({
    services,
    vault,
    config,
    log,
    site,
    ready: () => ready,
    ...(metrics && { metrics: metrics.answer }),
  });
  locked?.setListener(app.callback());
  const listening = locked?.listening ?? (await listen(app.callback(), config, tls, log));
  if (!trial) services.start();
  const idle = freeMemoryWhenIdle();
  ready = true;
  systemd.ready();
  updates
    .whenReady()
    .catch((error: unknown) => log.error({ err: error }, 'the update was not noted as done'));
  const { port } = listening;
  if (tls?.fingerprint)
    log.info(
      `Computers of the office learn to trust this server at ${trustAddress(config.baseUrl.replace(/:0$/, `:${port}`), listening.httpPort)}; the fingerprint of its authority is ${tls.fingerprint}`,
    );
  log.info(`${config.appName} is at ${config.baseUrl.replace(/:0$/, `:${port}`)}`);

  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    ready = false;
    systemd.stopping();
    log.info(`${signal}: stopping once what is under way has ended, at most ${GRACE_MS / 1000} s`);
    // Event streams would otherwise stay open until the grace period ends; their screens reconnect by themselves.
    services.events.stop();
    await listening.close(GRACE_MS);
    await services.stop();
    remoteTime.stop();
    idle.stop();
    await anchor?.stop();
    await vault.close();
    log.info('stopped');
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(signal));
  const parent = Number(process.env.ALMIRAH_STARTED_BY);
  if (parent) whenParentExits(parent, () => void stop('what started it has ended'));
}

/** Reads the settings, opens the data folder and serves until stopped; a failure to start ends the process. */
export async function serve(openSite: () => Promise<Site>): Promise<void> {
  const config = await settings();
  const log = createLog(config);
  const warn = (warnings: readonly (string | null)[]) => {
    for (const warning of warnings) if (warning) log.warn(warning);
  };
  warn([...warningsOf(config, process.env), closedDescriptor(config)]);
  // Not awaited: a share that does not answer must not delay the start.
  void missingBackupFolder(config).then((warning) => warn([warning]));
  void missingPlaces(config, process.env).then(warn);
  // After either of these the state of the process is unknown: a restart is safer.
  for (const fault of ['uncaughtException', 'unhandledRejection']) {
    process.on(fault, (error: unknown) => {
      log.fatal({ err: error }, fault);
      process.exit(1);
    });
  }
  try {
    await run(config, log, createNotifier(isTrial() ? {} : process.env, log), openSite);
  } catch (error) {
    const { message, stack } = error as Error;
    log.debug({ stack }, 'not started');
    process.stderr.write(`Almirah did not start. ${message}\n`);
    process.exit(1);
  }
}
