interface Steps {
  system: string;
  /** Matches the User-Agent of the system's browsers. */
  agent: RegExp;
  steps: readonly string[];
}

/** The steps per system. `\`…\`` marks screen labels and input. */
export const SYSTEMS: readonly Steps[] = [
  {
    system: 'Windows (Chrome, Edge, Firefox)',
    agent: /windows/i,
    steps: [
      'Download the certificate, and open the file.',
      'Choose `Install Certificate…`, then `Current User`, then `Next`. (`Local Machine` trusts it for everybody who uses this computer, and asks for an administrator.)',
      'Choose `Place all certificates in the following store`, `Browse…`, `Trusted Root Certification Authorities`, `OK`.',
      'Choose `Next` and `Finish`. Windows shows the name and a thumbprint; choose `Yes`.',
      'Close all windows of the browser and open the address again.',
    ],
  },
  {
    system: 'Mac (Safari, Chrome)',
    agent: /macintosh|mac os x(?!.*mobile)/i,
    steps: [
      'Download the certificate, and open the file: Keychain Access opens. Add it to `login` (for yourself) or `System` (for everybody who uses this Mac).',
      'In the list, open the certificate, then `Trust`, and set `When using this certificate` to `Always Trust`.',
      'Close the window and enter your password. Open the address again.',
    ],
  },
  {
    system: 'Android phone or tablet',
    agent: /android/i,
    steps: [
      'Download the certificate.',
      'Open `Settings`, and search there for `CA certificate`. (It is under `Security`, `Encryption and credentials`, `Install a certificate`; phones name it a little differently.)',
      'Choose `CA certificate`, `Install anyway`, and pick the file. Android asks for your screen lock.',
      'Open the address again in Chrome.',
    ],
  },
  {
    system: 'iPhone and iPad',
    agent: /iphone|ipad/i,
    steps: [
      'Open this page in Safari, download the certificate, and choose `Allow`.',
      'Open `Settings`: near the top stands `Profile Downloaded`. Open it, choose `Install`, and enter your passcode.',
      'Then open `Settings`, `General`, `About`, `Certificate Trust Settings` at the very end, and switch the certificate on.',
      'Open the address again.',
    ],
  },
  {
    system: 'Linux (Chrome, Chromium)',
    agent: /linux(?!.*android)|x11/i,
    steps: [
      'Download the certificate.',
      'Chrome and Chromium: open `chrome://certificate-manager`, `Local certificates`, `Custom`, `Import` beside `Trusted certificates`, and pick the file.',
      'For programs of the terminal: `sudo cp almirah-office.crt /usr/local/share/ca-certificates/ && sudo update-ca-certificates`',
    ],
  },
  {
    system: 'Firefox on any system',
    agent: /firefox/i,
    steps: [
      'On Windows and Mac, Firefox takes what the system trusts: do the steps for your system, and restart Firefox.',
      'On Linux, or if that does not help: `Settings`, search for `certificates`, `View Certificates…`, `Authorities`, `Import…`, pick the file, and tick `Trust this CA to identify websites`.',
    ],
  },
];

export const TEXTS = {
  title: 'Trust this office’s certificate',
  intro: (app: string) =>
    `${app} runs on a computer in your office and encrypts everything between that computer and yours. The Internet’s authorities do not vouch for computers inside an office, so the office has an authority of its own. Tell your computer or phone once to trust it; then the warning of the browser is gone.`,
  download: 'Download the certificate',
  check: 'First compare',
  checkAbout:
    'This page came unencrypted. Before you trust the certificate, compare its fingerprint (SHA-256) with the one that the person who looks after this server has: it stands on the System screen, and where the server was started.',
  bounds:
    'This authority can vouch only for names and addresses inside an office. It cannot be used to listen to your bank or your mail.',
  afterwards: 'Then open',
  steps: 'How to do it',
};
