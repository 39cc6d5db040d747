import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isSea } from 'node:sea';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { startEngine } from './engine.ts';
import { assets } from './system/assets.ts';
import { autostartOf } from './system/autostart.ts';
import { openAppWindow, openBrowser } from './system/browser.ts';
import type { Command } from './system/instance.ts';
import { claimInstance, sendCommand } from './system/instance.ts';
import { addToMenu } from './system/desktop-entry.ts';
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

/** Ms for transfers in progress to stop. */
const SHUTDOWN_MS = 8000;

async function main(args: string[]): Promise<void> {
  const option = (name: string): string | undefined => args[args.indexOf(name) + 1 || args.length];
  const milliseconds = (name: string): number | undefined => Number(option(name)) || undefined;
  const dir = option('--data') ?? dataFolder();
  const [settle, retryMs] = [milliseconds('--settle'), milliseconds('--patience')];
  if (args.includes('--version')) return say(VERSION);
  if (args.includes('--help')) return say(USAGE);
  const control = controlPath(dir);
  if (args.includes('--quit')) return void (await sendCommand(control, 'quit'));
  const leaveToOther = () =>
    args.includes('--address') &&
    say('Almirah Uploader runs already. Start it without --address to see its window.');
  if (!args.includes('--background') && (await sendCommand(control, 'show'))) return void leaveToOther();

  // Commands that arrive during the start are handled after it.
  const early: Command[] = [];
  let handleCommand = (command: Command): void => void early.push(command);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const only = await claimInstance(control, (command) => handleCommand(command));
  // Another instance was faster.
  if (!only) return void leaveToOther();

  // An office may have a certificate authority of its own, which only the system store contains.
  setDefaultCACertificates([...getCACertificates('default'), ...getCACertificates('system')]);
  const [seal, keychain] = [dpapi(), secretService()];
  const engine = await startEngine({
    dir,
    program: { version: VERSION, platform: platform() },
    ...(seal && { seal }),
    ...(keychain && { keychain }),
    ...(settle !== undefined && { intervals: { settle } }),
    ...(retryMs !== undefined && { retryMs }),
  });
  // One failed task, for example while the disk is full, must not end a program that runs unattended.
  process.on('unhandledRejection', (error) =>
    engine.log.add('problem', `A task failed: ${error instanceof Error ? error.message : String(error)}`),
  );
  const quit = () => {
    setTimeout(() => process.exit(0), SHUTDOWN_MS).unref();
    void window
      .close()
      .then(() => engine.stop())
      .finally(() => process.exit(0));
  };
  // Only a single executable can replace itself.
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
  handleCommand = (command) => (command === 'quit' ? quit() : show());
  openTray(engine, { open: show, pause: (paused) => void engine.pause(paused), quit });
  if (isSea() && process.platform === 'linux')
    // The program also works without an entry in the menu.
    await addToMenu(process.execPath, { dir, icon: assets('/icon.svg')!.content }).catch(() => {});
  for (const command of early) handleCommand(command);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, quit);
  if (args.includes('--address')) say(window.address());
  else if (!args.includes('--background')) show();
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
