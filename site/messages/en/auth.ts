import { plural } from './language.ts';

// ConfirmEmail.tsx
export const emailChanged = 'Your e-mail address has been changed';
export const signInWithNewEmail = 'Sign in with it from now on.';
export const confirming = 'Confirming...';
export const confirmAddress = 'Confirm this address';

// ForgotForm.tsx
export const resetFailed = 'Password reset request failed';
export const resetFailedOffline = 'Password reset request failed. Check your connection and try again.';
export const checkYourEmail = 'Check your e-mail';
export const askForLink = 'Ask for your link';
export const otherAddress = 'Try another address';
export const noEmailTryAgain = 'No e-mail? Try again';
export const emailHint = 'The one you sign in with.';
export const sending = 'Sending...';
export const sendLink = 'Send the link';
export const makeLink = 'Make a link';

// RegisterFields.tsx
export const registrationEmailHint = 'You will use this address to sign in.';
export const phoneHint = '10 digits, without the country code.';
export const confirmPassword = 'Confirm password';

// RegisterReview.tsx
export const acceptTerms =
  'I accept the <terms>Terms of Service</terms> and the <privacy>Privacy Policy</privacy>';
export const reviewLicense = 'License';
export const reviewFirm = 'Firm';

// RegisterWizard.tsx
export const welcomeTo = (appName: string, name: string) => `Welcome to ${appName}, ${name}!`;
export const passwordNotKept = 'The page was loaded again, which keeps no password. Please type it again.';
export const accountCreated = 'Account created successfully!';
export const registrationFailed = 'Registration failed';
export const previous = 'Previous';
export const next = 'Next';
export const creatingAccount = 'Creating Account...';
export const createAccount = 'Create Account';

// ResetForm.tsx
export const passwordSet = 'Your password has been set';
export const signInNow = 'Sign in with it now.';
export const requestNewLink = 'Request a new link';
export const settingPassword = 'Setting...';
export const setPassword = 'Set the password';

// SignInAgain.tsx
export const signInAgain = 'Please sign in again';
export const sessionEnded = 'Your session has ended. Sign in to continue; nothing on this page is lost.';
export const passwordFor = (email: string) => `Password for ${email}`;
export const otherAccount = 'Use another account';

export const signedOut = (name: string) => `${name} is signed out`;
export const signedOutAbout = (name: string) =>
  `That was done in another tab. This page is hidden until ${name} signs in again; nothing on it is lost until then.`;

// Replaced.tsx
export const signedInNow = (name: string) => `${name} is signed in now`;
export const signedInNowAbout = (before: string, now: string) =>
  `${now} has signed in in another tab of this browser. This page belongs to ${before} and is hidden; it is back when ${before} signs in again in another tab. If you go on as ${now}, what was typed here and not saved is lost.`;
export const goOnAs = (name: string) => `Go on as ${name}`;

// SignInCode.tsx
export const codeFromApp = 'Code from your app';
export const codeFromAppHint = 'Six digits, new every 30 seconds.';
export const recoveryCode = 'Recovery code';
export const recoveryCodeHint = 'One of the ten codes on your printout.';
export const recoveryCodeInstead = 'Use a recovery code';
export const appCodeInstead = 'Use a code from the app';
export const backToPassword = 'Back to the password';

// SignInForm.tsx
export const fieldError = (field: string) => `${field} Error`;
export const signedInAs = (name: string) => `Successfully signed in as ${name}`;
export const welcomeBack = 'Welcome back!';
export const checkCredentials = 'Please check your credentials and try again';
export const forgotPassword = 'Forgot your password?';

// StepList.tsx
export const stepDone = 'Done. Go back to it.';
export const registrationSteps = 'Registration steps';
export const stepOf = (step: string, steps: string) => `Step ${step} of ${steps}`;

// registration.ts
export const steps = {
  personal: { title: 'Personal Info', subtitle: 'Basic details' },
  professional: { title: 'Professional', subtitle: 'License & firm' },
  security: { title: 'Security', subtitle: 'Password setup' },
  complete: { title: 'Complete', subtitle: 'Terms & finish' },
};

// session.ts
export const networkError =
  'Network error. Please check your connection and make sure the server is running.';
/** The network works, but the server does not answer: usually it was not started. */
export const noServer = (address: string) =>
  `Cannot connect to server. Please make sure that it is running at ${address}.`;
export const sessionExpired = 'Session expired. Please try again.';
export const noCookies =
  'Your browser blocks cookies for this site, and without them nobody can sign in. Allow them, then try again.';
export const invalidCredentials = 'Invalid email or password.';
export const loginFailed = 'Login failed';
export const loginFailedTryAgain = 'Login failed. Please try again.';
export const registrationFailedTryAgain = 'Registration failed. Please try again.';
export const tryAgainIn = (seconds: number) =>
  seconds < 90
    ? plural(Math.ceil(seconds), { one: 'Try again in 1 second.', other: 'Try again in # seconds.' })
    : plural(Math.ceil(seconds / 60), {
        one: 'Try again in about 1 minute.',
        other: 'Try again in about # minutes.',
      });

// The pages around the forms
export const signInTitle = 'Sign in';
export const signInHeading = 'Welcome Back';
export const signInAbout = 'Sign in to your secure document portal';
export const noAccount = "Don't have an account? <register>Register here</register>";
export const encryption = 'Protected by enterprise-grade encryption';
export const registerTitle = 'Create account';
export const registerHeading = 'Create your account';
export const registerAbout = "Your firm's and your clients' documents, stored securely";
export const registerClosed = 'This vault takes no new firms. Ask a colleague for an invitation.';
export const haveAccount = 'Already have an account? <login>Sign in here</login>';
export const forgotAbout = 'We will send you a link to set a new password.';
export const forgotAboutNoEmail =
  'This server sends no e-mail. Ask for a link to set a new password, and whoever runs the server can give it to you.';
export const backToSignIn = 'Back to sign-in';
export const resetTitle = 'Set a new password';
export const resetAbout = 'This signs you out on every device';
export const linkExpired = 'This link is no longer valid';
export const resetLinkExpired =
  'A link works once, within one hour, and only the newest one works. Your password has not changed.';
export const confirmTitle = 'Confirm your e-mail address';
export const confirmAbout = (email: string) =>
  `From now on you sign in with <b>${email}</b>. All other devices are signed out.`;
export const confirmLinkExpired =
  'It works once, for a day, and only the newest one. If your address is not changed yet, enter it again under Settings.';
export const goToSettings = 'Go to Settings';
export const needsJavaScript =
  "This page needs JavaScript. Please switch it on in your browser's settings and load the page again.";
