/** Almirah Uploader, the program for the office's computers: downloading, connecting, the list of connected ones. */

export const downloadApp = 'Download App';
export const about = (app: string) =>
  `${app} Uploader watches folders on your office computer and uploads by itself what is saved there: scans, what Tally writes, what you download from the portals. It works in the background, and carries on where it stopped once the connection is back.`;
export const platforms: Record<string, string> = {
  'win-x64': 'Windows 10 and 11 (64-bit)',
  'linux-x64': 'Linux (64-bit)',
};
export const download = (platform: string) => `Download for ${platform}`;
export const version = 'Version';
export const size = 'Size';
export const checksum = 'SHA-256';
export const checksumAbout = (file: string) =>
  `To be sure that the file is the one from this vault, open the Command Prompt in the folder of the download, type <code>certutil -hashfile ${file} SHA256</code> and compare.`;
export const onLinux = 'Starting it on Linux';
export const onLinuxAbout = 'In the folder of the download, type:';
export const linuxCommand = (file: string) =>
  `xz -d ${file} && chmod +x ${file.replace(/\.xz$/, '')} && ./${file.replace(/\.xz$/, '')}`;
export const none = 'The program is not available from this vault yet.';
export const noneAbout =
  'Your administrator builds it on the server with one command, and this page then offers it at once:';
export const buildCommand = 'npm run build:desktop';
export const noMacProgram =
  'There is no program for macOS. On a Mac, open the vault as a drive in Finder: see <a class="link" href="/settings#app-passwords">App passwords</a>.';

export const steps = 'What Windows will ask';
export const stepsAbout =
  'Windows warns of every program that few people have downloaded so far. Check that the file came from this page, then go on like this.';
export const step1 = 'Open the downloaded file.';
export const step2 = 'Windows says that it protected your PC. Click <b>More info</b>.';
export const step3 =
  'Click <b>Run anyway</b>. The program installs for your account only, without an administrator.';
export const picture1 = (file: string) => `${file}`;
export const picture1Open = 'Open file';
export const picture2Title = 'Windows protected your PC';
export const picture2Text = 'An unrecognised app was prevented from starting.';
export const picture2More = 'More info';
export const picture2Dont = 'Don’t run';
export const picture3Run = 'Run anyway';
export const smartControl =
  'Where Smart App Control is on, Windows blocks the program without a question. Ask your administrator.';

export const connect = 'Connect it';
export const connectAbout =
  'Enter the address below in the program and click “Connect in the browser”. If the wrong browser opens, or none, create a code here and enter it in the program. The program never asks for your password.';
export const address = 'Address of the vault';
export const createCode = 'Create a code';
export const newCode = 'Create a new code';
export const code = 'Code';
export const codeAbout = (minutes: number) =>
  `Valid once, for ${minutes} minutes. Type it only into the program on your own computer, and do not share it.`;
export const codeExpired = 'The code has expired.';
export const codeFailed = 'The code could not be created. Please try again.';
export const uploadNotAllowed =
  'You can view documents but not upload, so no program can be connected. Ask an admin of your firm.';

export const connectTitle = 'Connect a program';
export const connectQuestion = (app: string, computer: string) => `Connect ${app} Uploader on ${computer}?`;
export const thisComputer = 'this computer';
export const connectPermissions = (firm: string, name: string) =>
  `It uploads files for ${name} of ${firm}. It can add files, and newer versions of files, to folders that you see. It cannot open or delete any document. You can disconnect it under Settings at any time.`;
export const connectWarning =
  'Continue only if you have just started the program yourself, on this computer.';
export const connectAction = 'Connect';
export const connecting = 'Connecting...';
export const cancel = 'Cancel';
export const connected =
  'Going back to the program. You can close this tab when it says that it is connected.';
export const connectFailed = 'The program could not be connected. Please try again.';
export const badLink = 'This link is incomplete. Start again from the program.';

export const programName = (app: string, computer: string) => `${app} Uploader on ${computer}`;
export const programUsed = (version: string, place: string, when: string, since: string) =>
  `Version ${version} · ${place} · last used ${when} · connected ${since}`;
export const disconnect = 'Disconnect';
export const disconnectOne = (computer: string) => `Disconnect the program on ${computer}`;
export const disconnectQuestion = (computer: string) => `Disconnect the program on ${computer}?`;
export const disconnectAbout =
  'It stops uploading at once. What it has uploaded stays. To use it again, connect it again.';
export const disconnected = 'The program is disconnected';
export const disconnectFailed = 'The program could not be disconnected. Please try again.';
