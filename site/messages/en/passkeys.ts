/** Passkeys: signing in with a fingerprint, a face or a PIN. */

export const title = 'Passkeys';
export const about =
  'Sign in with the fingerprint, face or PIN of your device instead of a password and a code. A passkey cannot be guessed, and no fake site can ask for it.';
export const unavailable =
  'Passkeys need an https address with a name. Ask your administrator to set one up for this server.';
export const none = 'No passkey yet.';
export const add = 'Add a passkey';
export const addAction = 'Continue';
export const addAbout =
  'Your browser then asks for your fingerprint, face or PIN, or for a security key or phone that you have with you.';
export const addFailed = 'The passkey could not be added. Please try again.';
export const alreadyHere = 'This device has a passkey for your account already.';
export const stopped = 'No passkey was added: the request was cancelled or timed out. Continue to try again.';
export const added = 'Passkey added';
export const name = 'Name of the device';
export const namePlaceholder = 'Office laptop';
export const nameRequired = 'Say which device it is, such as "Office laptop"';
export const backedUp = 'on all your devices';
export const onlyHere = 'on one device';
export const unused = (created: string) => `added ${created} · not used yet`;
export const used = (created: string, when: string) => `added ${created} · last used: ${when}`;
export const rename = 'Rename';
export const renameOne = (key: string) => `Rename the passkey ${key}`;
export const renameTitle = 'Rename the passkey';
export const renameFailed = 'The passkey could not be renamed. Please try again.';
export const remove = 'Remove';
export const removeOne = (key: string) => `Remove the passkey ${key}`;
export const removeTitle = (key: string) => `Remove “${key}”?`;
export const removeAbout =
  'It no longer signs you in. Delete it on the device as well, so that the browser does not offer it.';
export const removeLast =
  'It is your only passkey: from then on your password alone is enough to sign in, and your recovery codes no longer work.';
export const removeFailed = 'The passkey could not be removed. Please try again.';
export const removed = 'Passkey removed';
export const singlePasskeyAdvice =
  'Keep your recovery codes safe, or add a second passkey, in case this device is lost.';

// Passkeys as the second step of signing in
export const asksForPasskey = 'Signing in with your password also asks for a passkey.';
export const setUpCodes = 'Set up codes from an app';
export const codesLeft = (left: number) => `${left} of 10 recovery codes left`;

// Signing in
export const signIn = 'Sign in with a passkey';
export const or = 'or';
export const waiting = 'Waiting for your device...';
export const confirm = 'Use your passkey';
export const confirmAbout =
  'Your password is right. Confirm that it is you with the fingerprint, face or PIN of your device.';
export const passkeyInstead = 'Use a passkey';
export const signInStopped = 'The passkey was not used: the request was cancelled or timed out.';
export const signInFailed = 'The passkey could not be used. Please try again, or use your password.';

// The firm demands a second step from a day
export const demandedFrom = (day: string) =>
  `From ${day} your firm asks everyone to use two-step sign-in. Set it up before then; it takes two minutes.`;
export const setUpNow = 'Set it up';
