/** Confirming the identity again before a sensitive action. */

export const title = 'Confirm that it is you';
export const about =
  'This is a sensitive action. Please confirm that it is you. You will not be asked again for ten minutes.';
export const confirm = 'Confirm';
export const codeFromApp = 'Code from your app';
export const withPassword = 'Use the password';
export const withCode = 'Use a code from the app';
export const withPasskey = 'Use a passkey';
export const passkeyAbout = 'Your browser asks for the fingerprint, face or PIN of your device.';
export const failed = 'This could not be confirmed. Please try again.';
