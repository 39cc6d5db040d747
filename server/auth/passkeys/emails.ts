import type { EmailTemplate } from '../emails.ts';
import { greeting, notYouParts } from '../emails.ts';

export const passkeyAdded =
  (name: string): EmailTemplate =>
  (facts) => ({
    kind: 'auth.passkey_added',
    email: {
      subject: 'A passkey was added',
      parts: [
        greeting(facts),
        `On ${facts.at} the passkey “${name}” was added to your account. Whoever holds this device and can unlock it can sign in without your password. You can remove it under Settings at any time.`,
        'If this was not you, remove it under Settings, then set a new password. This signs out every device.',
        ...notYouParts(facts).slice(1),
      ],
    },
  });

export const passkeyRemoved =
  (name: string, isSecondStepLeft: boolean): EmailTemplate =>
  (facts) => ({
    kind: 'auth.passkey_removed',
    email: {
      subject: 'A passkey was removed',
      parts: [
        greeting(facts),
        `On ${facts.at} the passkey “${name}” was removed from your account. ${
          isSecondStepLeft
            ? 'It no longer signs in.'
            : 'It was the last one, so your password alone is enough to sign in now, and your recovery codes no longer work.'
        }`,
        ...notYouParts(facts),
      ],
    },
  });
