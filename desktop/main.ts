import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isSea } from 'node:sea';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { startEngine } from './engine.ts';
import { assets } from './system/assets.ts';
import { autostartOf } from './system/autostart.ts';
import { openAppWindow, openBrowser } from './system/browser.ts';
import type { Word } from './system/instance.ts';
import { beTheOnly, tell } from './system/instance.ts';
import { enterMenu } from './system/desktop-entry.ts';
import { dpapi } from './system/dpapi.ts';
import { secretService } from './system/keychain.ts';
import { controlPath, dataFolder } from './system/paths.ts';
import { createUpdates } from './system/update.ts';
import { VERSION, platform } from './system/version.ts';
import { openTray } from './tray/tray.ts';
import { openWindow } from './window/server.ts';

const USAGE = `Almirah Uploader ${VERSION}
  (nothing)       start, or show the window of the one that runs
  --background    start without a window
  --quit          end the one that runs
  --address       print an address that opens the window once
  --data FOLDER   keep queue and keys there
  --settle MS     send a file once it has not changed for so long (2000)
  --patience MS   ask a vault that is away again after so long, then ever less often (5000)
  --version
`;

/** Milliseconds in which what is under way has to be put away. */
const ENDING_MS = 8000;

async function main(args: string[]): Promise<void> {
  const option = (name: string): string | undefined => args[args.indexOf(name) + 1 || args.length];
  const milliseconds = (name: string): number | undefined => Number(option(name)) || undefined;
  const dir = option('--data') ?? dataFolder();
  const [settle, patience] = [milliseconds('--settle'), milliseconds('--patience')];
  if (args.includes('--version')) return say(VERSION);
  if (args.includes('--help')) return say(USAGE);
  const control = controlPath(dir);
  if (args.includes('--quit')) return void (await tell(control, 'quit'));
  if (!args.includes('--background') && (await tell(control, 'show'))) return;

  // What comes before the start is complete waits for it.
  const early: Word[] = [];
  let told = (word: Word): void => void early.push(word);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const only = await beTheOnly(control, (word) => told(word));
  // Another was faster.
  if (!only) return;

  // An office may have a certificate authority of its own, which its computers know.
  setDefaultCACertificates([...getCACertificates('default'), ...getCACertificates('system')]);
  const [seal, keychain] = [dpapi(), secretService()];
  const engine = await startEngine({
    dir,
    program: { version: VERSION, platform: platform() },
    ...(seal && { seal }),
    ...(keychain && { keychain }),
    ...(settle !== undefined && { rhythm: { settle } }),
    ...(patience !== undefined && { patience }),
  });
  const quit = () => {
    setTimeout(() => process.exit(0), ENDING_MS).unref();
    void window
      .close()
      .then(() => engine.stop())
      .finally(() => process.exit(0));
  };
  // Only a file of its own can be put in the place of itself.
  const updates = isSea()
    ? createUpdates({
        vaults: engine.vaults,
        program: engine.program,
        file: process.execPath,
        folder: join(dir, 'updates'),
        changed: engine.changed,
        quit,
      })
    : null;
  const window = await openWindow(
    engine,
    { openBrowser, autostart: autostartOf(isSea() ? process.execPath : null), update: updates, quit },
    assets,
  );
  const show = () => openAppWindow(window.address());
  told = (word) => (word === 'quit' ? quit() : show());
  openTray(engine, { open: show, pause: (paused) => void engine.pause(paused), quit });
  if (isSea() && process.platform === 'linux')
    // Without a place in the menu it works all the same.
    await enterMenu(process.execPath, { dir, icon: assets('/icon.svg')!.content }).catch(() => {});
  for (const word of early) told(word);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, quit);
  if (args.includes('--address')) say(window.address());
  else if (!args.includes('--background')) show();
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
