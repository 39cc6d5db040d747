import type { Engine } from '#desktop/engine.ts';
import type { QueuedFile } from '#desktop/queue/files.ts';

const FILES_SHOWN = 200;

/** Numbers of queued, active and failed files. */
export function countsOf(totals: readonly { state: string; files: number }[]) {
  const count = (...states: string[]) =>
    totals.filter(({ state }) => states.includes(state)).reduce((sum, total) => sum + total.files, 0);
  return {
    waiting: count('waiting', 'settling'),
    sending: count('sending', 'arrived'),
    failed: count('failed'),
  };
}

/** The state that the window shows. */
export function stateOf(engine: Engine, system: { autostart: boolean | null; update: string | null }) {
  const { vaults, folders, files, settings, pace, pairing, sender, watcher } = engine;
  const watched = folders.all();
  const targets = new Map(watched.map(({ id, target }) => [id, target]));
  const totals = files.totals();
  const underway = new Map<number, number>();
  const shown = files.shown(FILES_SHOWN).map((file) => {
    const sent = sender.sent(file.id) ?? file.sent;
    if (file.state === 'sending') underway.set(file.id, sent - file.sent);
    return fileOf(file, sent, targets);
  });
  const open = totals.filter(({ state }) => state === 'waiting' || state === 'sending');
  const bytes = open.reduce((sum, total) => sum + total.bytes - total.sent, 0);
  const left = Math.max(0, bytes - [...underway.values()].reduce((sum, sent) => sum + sent, 0));
  const speed = pace.speed();
  return {
    version: engine.program.version,
    vaults: vaults.all().map(({ id, base, firm_name, user_name, user_email, ended }) => ({
      id,
      base,
      firm_name,
      user_name,
      user_email,
      connected: !ended && pairing.client(id) !== undefined,
      hold: sender.holds.of(id) ?? null,
    })),
    folders: watched.map((folder) => ({ ...folder, away: watcher.problemOf(folder.id) ?? null })),
    files: shown,
    counts: countsOf(totals),
    bytes_left: left,
    speed,
    seconds_left: speed > 0 && left > 0 ? left / speed : null,
    paused: settings.get('paused'),
    speed_limit: settings.get('speed_limit'),
    ...system,
  };
}
export type WindowState = ReturnType<typeof stateOf>;

const fileOf = (file: QueuedFile, sent: number, targets: ReadonlyMap<number, string>) => ({
  id: file.id,
  name: file.name,
  path: file.folder === null ? '' : file.path,
  target: (file.folder !== null && targets.get(file.folder)) || file.target,
  size: file.size,
  sent,
  state: file.state,
  problem: file.problem,
});
