import type { Engine } from '#desktop/engine.ts';
import { countsOf } from '#desktop/window/state.ts';

export const MARKS = ['idle', 'working', 'paused', 'problem'] as const;
/** The status that the icon shows. */
export type Mark = (typeof MARKS)[number];

/** The state of the tray: icon, status line, and whether uploads are paused. */
export interface TrayState {
  mark: Mark;
  line: string;
  paused: boolean;
}

/** Maximum length of the line: Windows shows 127 characters, including the program's name. */
const MAX_LINE = 100;
const files = (number: number) => (number === 1 ? '1 file' : `${number.toLocaleString('en-IN')} files`);

/** The most severe problem. */
function problemOf({ vaults, sender, folders, watcher }: Engine): string | undefined {
  for (const vault of vaults.all()) {
    const message = vault.ended ? 'Connect this computer again.' : sender.holds.of(vault.id)?.message;
    if (message) return `${vault.firm_name}: ${message}`;
  }
  for (const { id, path, trouble } of folders.all()) {
    const message = trouble ?? watcher.problemOf(id);
    if (message) return `${path}: ${message}`;
  }
  return undefined;
}

/** The current state of the tray. */
export function trayStateOf(engine: Engine): TrayState {
  const counts = countsOf(engine.files.totals());
  const paused = engine.settings.get('paused');
  const left = counts.waiting + counts.sending;
  const picture = (mark: Mark, line: string): TrayState => ({
    mark,
    line: line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line,
    paused,
  });
  if (engine.vaults.all().length === 0) return picture('idle', 'Not connected with a vault yet');
  const wrong = problemOf(engine);
  if (wrong !== undefined) return picture('problem', wrong);
  if (paused) return picture('paused', left > 0 ? `Paused: ${left.toLocaleString('en-IN')} left` : 'Paused');
  if (left > 0) {
    const speed = engine.pace.speed() / 1024 ** 2;
    const moving = counts.sending > 0 && speed >= 0.05 ? `, ${speed.toFixed(1)} MB/s` : '';
    const failed = counts.failed > 0 ? `, ${files(counts.failed)} not uploaded` : '';
    return picture('working', `${left.toLocaleString('en-IN')} left${moving}${failed}`);
  }
  if (counts.failed > 0) return picture('problem', `${files(counts.failed)} not uploaded`);
  return picture('idle', 'Everything is uploaded');
}
