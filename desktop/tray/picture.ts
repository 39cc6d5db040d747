import type { Engine } from '#desktop/engine.ts';
import { countsOf } from '#desktop/window/state.ts';

export const MARKS = ['idle', 'working', 'paused', 'problem'] as const;
/** What the icon is drawn as. */
export type Mark = (typeof MARKS)[number];

/** What the tray shows: its icon, the line that tells how things stand, and whether sending is paused. */
export interface Picture {
  mark: Mark;
  line: string;
  paused: boolean;
}

/** Most characters of the line: Windows shows 127 beside an icon, and the program's name is among them. */
const LINE_MOST = 100;
const files = (number: number) => (number === 1 ? '1 file' : `${number.toLocaleString('en-IN')} files`);

/** What is wrong, the worst first. */
function problemOf({ vaults, sender, folders, watcher }: Engine): string | undefined {
  for (const vault of vaults.all()) {
    const told = vault.ended ? 'Connect this computer again.' : sender.holds.of(vault.id)?.message;
    if (told) return `${vault.firm_name}: ${told}`;
  }
  for (const { id, path, trouble } of folders.all()) {
    const told = trouble ?? watcher.away(id);
    if (told) return `${path}: ${told}`;
  }
  return undefined;
}

/** How things stand, in one line. */
export function pictureOf(engine: Engine): Picture {
  const counts = countsOf(engine.files.totals());
  const paused = engine.settings.get('paused');
  const left = counts.waiting + counts.sending;
  const picture = (mark: Mark, line: string): Picture => ({
    mark,
    line: line.length > LINE_MOST ? `${line.slice(0, LINE_MOST - 1)}…` : line,
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
