import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const SIZE = '--window-size=1000,720';

/** Browsers that can open a page in an app window, the most likely first. */
function appBrowsers(env: NodeJS.ProcessEnv): string[] {
  if (process.platform === 'win32') {
    const roots = [env['ProgramFiles(x86)'], env.ProgramFiles, env.LOCALAPPDATA].filter(
      (path) => path !== undefined,
    );
    const names = ['Microsoft\\Edge\\Application\\msedge.exe', 'Google\\Chrome\\Application\\chrome.exe'];
    return names.flatMap((name) => roots.map((root) => join(root, name)));
  }
  const names = [
    'google-chrome',
    'google-chrome-stable',
    'chromium',
    'chromium-browser',
    'microsoft-edge',
    'brave-browser',
  ];
  const folders = (env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

function run(program: string, args: string[]): void {
  const child = spawn(program, args, { detached: true, stdio: 'ignore', windowsHide: true });
  child.on('error', () => {});
  child.unref();
}

/** Opens a page in the default browser. The URL is never parsed by a shell. */
export function openBrowser(url: string): void {
  if (!/^https?:\/\//.test(url)) return;
  if (process.platform === 'win32') run('rundll32.exe', ['url.dll,FileProtocolHandler', url]);
  else if (process.platform === 'darwin') run('open', [url]);
  else run('xdg-open', [url]);
}

/** Opens the program's window: an app window if a browser supports it, otherwise a tab. */
export function openAppWindow(url: string, env: NodeJS.ProcessEnv = process.env): void {
  const browser = appBrowsers(env).find((path) => existsSync(path));
  if (browser) run(browser, [`--app=${url}`, SIZE]);
  else openBrowser(url);
}
