import { plural } from './language.ts';

// Devices.tsx
export const deviceInUse = (place: string, signedIn: string) => `${place} · in use · signed in ${signedIn}`;
export const deviceUsed = (place: string, when: string, signedIn: string) =>
  `${place} · last used: ${when} · signed in ${signedIn}`;
export const showAllDevices = (n: number) => plural(n, { one: 'Show 1 device', other: 'Show all #' });
export const othersSignedOut = 'All other devices are signed out';
export const deviceSignedOut = 'The device is signed out';
export const signOutFailed = 'The device could not be signed out. Please try again.';
export const signOutOthersQuestion = 'Sign out all other devices?';
export const signOutOthersAbout =
  'Only this browser stays signed in, and uploads running in the others stop. Connected programs and app passwords go on working; end those separately.';
export const signOutTheOthers = 'Sign out the others';
export const thisDevice = 'This device';
export const lastUsed = (when: string) => `Last used ${when}`;
export const signOutDevice = (name: string, place: string) => `Sign out ${name}, ${place}`;
export const signOut = 'Sign out';
export const signOutOthers = 'Sign out all others';

// Exports.tsx
export const downloadBegun = 'The download has started';
export const downloadBegunAbout = 'Your browser shows its progress.';
export const exportFailed = 'The export could not be started. Please try again.';
export const exportEverything = 'Download everything (ZIP)';
export const exportHistory = 'History only (CSV)';

// PasswordForm.tsx
export const passwordChanged = 'Password changed';
export const passwordChangedAbout = 'Other devices are signed out.';
export const passwordChangeFailed = 'Password change failed';
export const changing = 'Changing...';
export const changePassword = 'Change password';

// ProfileForm.tsx
export const linkSent = (address: string) =>
  `We sent a link to <b>${address}</b>. Your e-mail address changes when you open it; until then, sign in with the present one.`;
export const linkStored = (address: string) =>
  `E-mail is not set up on this server: whoever runs it finds the link to <b>${address}</b> with “npm run admin -- outbox”. Your e-mail address changes when you open it; until then, sign in with the present one.`;
export const confirmNewEmail = 'Confirm your new e-mail address';
export const profileUpdated = 'Profile updated';
export const profileUnchanged = 'Nothing in your profile was changed.';
export const profileFailed = 'Profile update failed';
export const emailHint = 'Used for signing in and for all e-mails to you.';
export const firmNameHint = 'The same for everybody in the firm.';
export const firmNameAdminOnly = 'Only an admin of your firm can change it.';
export const saveProfile = 'Save profile';

// RecoveryCodes.tsx
export const recoveryCodesFile = (host: string, codes: string) =>
  `Recovery codes for ${host}\r\nEach works once.\r\n\r\n${codes}\r\n`;
export const codesCopied = 'Recovery codes copied';
export const copyBlocked = 'The browser did not allow copying. Save them as a file instead.';
export const keepCodes = 'Keep these recovery codes';
export const keepCodesAbout =
  'If your phone, or the device with your passkey, is lost, one of these opens your account instead. Each works once. They are shown only now: print them and keep the printout safe, away from that device.';
export const copy = 'Copy';
export const saveAsFile = 'Save as a file';
export const print = 'Print';
export const codesKept = 'I have stored them where I can find them';

// Settings.tsx
export const profile = 'Profile';
export const profileAbout = 'Who you are, for your colleagues and on what you share.';
export const passwordAbout = 'A change signs out all your other devices.';
export const twoStep = 'Two-step sign-in';
export const twoStepOwed =
  'Your firm asks everyone to use two-step sign-in. Set it up below, then go on with your work.';
export const twoStepAbout =
  'Signing in asks for your password and a code from your phone, so a stolen password alone is of no use.';
export const devices = 'Signed-in devices';
export const devicesAbout =
  'Where you are signed in now, and the programs that upload for you. Sign out or disconnect what you do not recognise, then change your password.';
export const appearance = 'Appearance';
export const appearanceAbout = 'Saved on this device.';
export const yourData = 'Your data';
export const yourDataAbout =
  'Download all files in their folders, with clients and history as tables, at any time and on any plan.';
export const history = 'History';
export const historyAbout =
  'Who did what, when and from where. Entries cannot be edited or deleted, not even by an admin.';

// ThemeChoice.tsx
export const light = 'Light';
export const dark = 'Dark';
export const systemDefault = 'System default';
export const theme = 'Theme';

// TwoStep.tsx
export const noCodes = 'No recovery code is left. Without one, a lost phone locks you out. Create new ones.';
export const fewCodes =
  'Few recovery codes are left. Without one, a lost phone locks you out. Create new ones.';
export const on = 'On';
export const codesLeft = (since: string, left: number) =>
  plural(left, {
    one: `since ${since} · 1 of 10 recovery codes left`,
    other: `since ${since} · # of 10 recovery codes left`,
  });
export const newCodes = 'New recovery codes';
export const turnOff = 'Turn off';
export const off = 'Off';
export const passwordAlone = 'Your password alone is enough to sign in.';
export const setUpTwoStep = 'Set up two-step sign-in';

// TwoStepDialogs.tsx
export const newCodesFailed = 'New codes could not be created. Please try again.';
export const newCodesAbout = 'You get ten new codes; the old ones no longer work.';
export const turnOffTwoStep = 'Turn off two-step sign-in?';
export const turnOffFailed = 'Two-step sign-in could not be turned off. Please try again.';
export const turnOffAbout = 'From then on your password alone is enough to sign in.';
export const codeOrRecoveryCode = 'Code from the app, or a recovery code';

// TwoStepSetup.tsx
export const setupFailed = 'Two-step sign-in could not be set up. Please try again.';
export const scanQr =
  'Scan this with an authenticator app, such as Google Authenticator, Microsoft Authenticator or Aegis.';
export const qrCode = 'QR code for the authenticator app';
export const cannotScan = 'Cannot scan it? Enter the key instead';
export const codeFromApp = 'Code from the app';
export const setupAbout =
  'Signing in will ask for your password and a code from your phone, so nobody can sign in with a stolen password alone.';
export const twoStepOff = 'Two-step sign-in is off';
export const createCodes = 'Create new codes';
export const turnOn = 'Turn on';
export const continueSetup = 'Continue';

// Logo.tsx
export const logo = 'Logo';
export const logoAbout =
  'People outside see it on the pages you share with them and in e-mails. PNG, JPEG or SVG, up to 2 MB.';
export const logoOf = (firm: string) => `Logo of ${firm}`;
export const logoFile = 'Picture of the logo';
export const logoChoose = 'Upload a logo';
export const logoChange = 'Change the logo';
export const logoRemove = 'Remove';
export const logoSaved = 'Logo saved';
export const logoRemoved = 'Logo removed';
export const logoFailed = 'The logo could not be saved. Please try again.';
