import { count, list, plural } from './language.ts';

/** The first few by name, and how many more. */
export const names = (all: readonly string[], shown = 5) =>
  list(
    all.length > shown
      ? [...all.slice(0, shown), plural(all.length - shown, { one: '1 more', other: '# more' })]
      : all,
  );

// AccessDialog.tsx and PeopleCard.tsx
export const reasons = {
  admin: () => 'Admins see everything',
  all: () => 'Sees all clients',
  unassigned: () => 'May see documents without a client',
  client: (name: string) => `Works on ${name}`,
  group: (name: string) => `Works on the group ${name}`,
};
export const accessTo = (name: string) => `Who has access to “${name}”`;
export const you = 'You';
export const accessFailed = 'Who has access could not be loaded. Please try again.';
export const loadingPeople = 'Loading people';
export const people = 'People';
export const whoWorks = 'Who works on this?';
export const choosePeople = 'Choose people...';
export const showAll = (n: number) => `Show all ${count(n)}`;

// ClientPeopleDialog.tsx
export const whoWorksOn = (client: string) => `Who works on ${client}?`;
export const whoWorksAbout =
  'The people you choose see the documents of this client. Changes take effect immediately, also in open screens.';
export const findPerson = 'Find a person';
export const noPerson = (text: string) => `Nobody is called “${text}”.`;
export const asAdmin = 'Admin, sees everything';
export const asAll = 'Sees all clients';
export const byGroup = (group: string) => `Through the group ${group}`;
export const allSeeAll = 'Everybody in your firm sees all clients.';
export const limitOnTeam = 'To limit somebody to assigned clients, open the person on the Team screen.';
export const goToTeam = 'Go to Team';
export const saveFailed = 'The people could not be saved. Please try again.';
export const saved = (client: string) => `People of “${client}” saved`;

// confirmAccessLoss.ts
export const losingTitle = (who: readonly string[]) =>
  who.length === 1 ? `${who[0]} will lose access` : `${count(who.length)} colleagues will lose access`;
export const losingOne = (item: string, who: readonly string[]) =>
  `${names(who)} can see “${item}” now, and will no longer see it there, nor what is in it.`;
export const losingFile = (item: string, who: readonly string[]) =>
  `${names(who)} can see “${item}” now, and will no longer see it there.`;
export const losingMany = (items: number, who: readonly string[]) =>
  plural(items, {
    one: () => `${names(who)} will no longer see it there.`,
    other: (n) => `${names(who)} can see some of these ${n} items now, and will no longer see them there.`,
  });
export const moveAnyway = 'Move anyway';
export const linkAnyway = 'Change client anyway';
