/** Reporting a sign-in that was made by somebody else. */

export const title = 'Was this not you?';
export const about = (device: string, when: string) =>
  `On ${when} somebody signed in to your account from <b>${device}</b>. If that was not you, somebody else knows your password.`;
export const whatHappens =
  'That device is signed out at once, and passkeys, app passwords and programs that were added since then are removed. Then you set a new password.';
export const wasMe = 'If it was you, close this page: nothing changes.';
export const signOutDevice = 'It was not me: sign it out';
export const signingOut = 'Signing out...';
export const failed = 'This could not be done. Please try again.';
export const linkExpired = 'This link is no longer valid';
export const linkExpiredAbout =
  'It works once, for seven days. If you fear that somebody has your password, set a new one: it signs out every device.';
export const setNewPassword = 'Set a new password';
