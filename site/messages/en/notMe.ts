/** A sign-in that its owner does not know. */

export const title = 'Was this not you?';
export const about = (device: string, when: string) =>
  `On ${when} somebody signed in to your account from <b>${device}</b>. If that was not you, somebody else knows your password.`;
export const whatHappens =
  'That device is signed out at once, and passkeys, app passwords and programs that were added since then are removed. Then you set a new password.';
export const wasMe = 'If it was you, close this page: nothing changes.';
export const end = 'It was not me: sign it out';
export const ending = 'Signing out...';
export const failed = 'This could not be done. Please try again.';
export const over = 'This link is no longer valid';
export const overAbout =
  'It works once, for seven days. If you fear that somebody has your password, set a new one: it signs out every device.';
export const setNew = 'Set a new password';
