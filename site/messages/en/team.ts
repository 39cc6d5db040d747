import { plural } from './language.ts';

// Team.tsx
export const team = 'Team';
export const seatsOf = (people: string, allowed: string) => `${people} of ${allowed}`;
export const invite = 'Invite people';
export const person = 'Person';
export const role = 'Role';
export const clients = 'Clients';
export const lastSeen = 'Last seen';
export const twoStep = 'Two-step';
export const devices = 'Devices';
export const details = 'Details';
export const you = 'You';
export const readOnly = 'Read only';
/** To the user whom it concerns. */
export const noSeat =
  'You can open documents but not change anything: your firm has more users than its plan allows. Ask an admin of your firm for a larger plan.';
export const deactivated = 'Deactivated';
export const allClients = 'All clients';
export const someClients = (n: number) => plural(n, { one: '1 client', other: '# clients' });
export const never = 'Never';
export const on = 'On';
export const off = 'Off';
export const edit = (name: string) => `Edit ${name}`;
export const invitations = 'Invitations';
export const invitedUntil = (name: string, day: string) => `Invited by ${name}, valid until ${day}`;
export const invitationEnded = (day: string) => `Ended on ${day}`;
export const sendAgain = 'Send again';
export const sendAgainTo = (email: string) => `Send the invitation to ${email} again`;
export const revoke = 'Revoke';
export const revokeOf = (email: string) => `Revoke the invitation to ${email}`;
export const revokeQuestion = 'Revoke this invitation?';
export const revokeAbout = (email: string) => `The link that ${email} has received will no longer work.`;
export const sentAgain = 'A new link is on its way. The old one no longer works.';
export const revoked = 'Invitation revoked';
export const onlyMember = 'You are the only one here';
export const onlyMemberAbout =
  'Invite your colleagues and articled assistants by e-mail. Each gets a role, and sees all clients or only those assigned.';
export const loadFailed = 'The team could not be loaded. Please try again.';
export const failed = 'This could not be done. Please try again.';
export const overSeatLimit = (people: number, allowed: number) =>
  `Your plan allows ${plural(allowed, { one: '1 person', other: '# people' })}, and ${plural(people, { one: '1 works', other: '# work' })} here. Those who joined last can read but not change anything. Choose who stays, or choose a larger plan.`;
export const chooseStaying = 'Choose who stays';
export const seePlans = 'See plans';
export const requireTwoStep = 'Everyone must use two-step sign-in';
export const requireTwoStepAbout =
  'By a passkey or by codes from an app. Whoever has set up neither is asked to do so before going on.';
export const requiredFrom = (day: string) =>
  `Required from ${day}. Until then whoever has not set it up sees a notice with this day.`;
export const requireFromDay = 'From which day?';
export const requireFromDayAbout =
  'Until then whoever has set up neither a passkey nor codes from an app sees a notice with this day. From then on they have to set it up before anything else. Choose today to require it at once.';
export const dayRequired = 'Choose the day from which it is required';
export const requireIt = 'Require it';
export const changeDay = 'Change the day';
export const twoStepRequired = 'Everyone now has to use two-step sign-in';
export const twoStepRequiredFrom = 'Everyone is told to set up two-step sign-in by that day';
export const twoStepFree = 'Two-step sign-in is now optional';

// InviteDialog.tsx
export const addresses = 'E-mail addresses';
export const addressesHint =
  'Enter one or more addresses, separated by commas or one per line. Each person gets an invitation link, valid for seven days.';
export const sendInvitations = 'Send invitations';
export const createLinks = 'Create links';
export const creatingLinks = 'Creating...';
export const sending = 'Sending...';
export const sent = (n: number) => plural(n, { one: 'Invitation sent', other: '# invitations sent' });
// InvitationLinks.tsx
export const linksTitle = (n: number) =>
  plural(n, { one: 'Link of the invitation', other: 'Links of the invitations' });
export const linksAbout =
  'Send each person their link yourself, by WhatsApp or from your own e-mail. A link lets in whoever opens it first, is valid for seven days and is shown only now.';
export const copyLink = (email: string) => `Copy the link for ${email}`;
export const linkCopied = 'Link copied';
export const linkBlocked = 'The browser does not allow copying here. Select the link and copy it.';
export const copy = 'Copy link';
export const done = 'Done';
export const newLink = 'New link';
export const newLinkFor = (email: string) => `Make a new link for ${email}`;

export const whichClients = 'Clients they see';
export const assignedClients = 'Assigned clients only';
export const findClient = 'Find a client or a group';
export const chosenClients = (clients: number, groups: number) =>
  groups === 0
    ? plural(clients, { one: '1 client chosen', other: '# clients chosen' })
    : `${plural(groups, { one: '1 group', other: '# groups' })} and ${plural(clients, { one: '1 client', other: '# clients' })} chosen`;
export const allAbout = 'Also clients that are added later.';
export const assignedAbout =
  'Their documents, and nothing of other clients. A group brings the clients that join it later.';
export const seesNone = 'Without a client or a group, no client is seen.';
export const adminSeesAll = 'An admin sees all clients.';
export const group = (name: string) => `Group ${name}`;
export const moreClients = (n: number) =>
  plural(n, { one: 'And 1 more: type a part of the name.', other: 'And # more: type a part of the name.' });
export const noClientsYet = 'There are no clients yet.';
export const clientsFailed = 'The clients could not be loaded. Please try again.';

// ClientsDialog.tsx
export const clientsOf = (name: string) => `Clients that ${name} sees`;
export const clientsSaved = (name: string) => `Clients of ${name} saved`;

// PersonDialog.tsx
export const permissions = 'Permissions';
export const permissionsAdmin = 'An admin may do everything.';
export const seesAllClients = 'Included for a person who sees all clients.';
export const hours = 'Only during work hours';
export const hoursHint = 'India time. Outside these hours the person cannot sign in or continue working.';
export const days = 'Days';
export const from = 'From';
export const to = 'To';
export const networks = 'Only from these networks';
export const networksHint = 'Such as 203.0.113.0/24, one per line. Leave it empty for anywhere.';
export const downloads = 'Files to download in a day';
export const downloadsHint =
  'Leave it empty for no limit. A ZIP counts as the files in it; looking at a document does not count.';
export const downloadsToday = (n: number) =>
  `${plural(n, { one: '1 file', other: '# files' })} downloaded today. Leave it empty for no limit; a ZIP counts as the files in it.`;
export const limitReached = (name: string, limit: number) =>
  `${name} has reached today's limit of ${plural(limit, { one: '1 file', other: '# files' })}. Further downloads are refused until midnight (India time).`;
export const saved = 'Changes saved';
export const changeClients = 'Change...';
export const changeClientsOf = (name: string) => `Change the clients of ${name}`;
export const deactivate = 'Deactivate...';
export const reactivate = 'Reactivate';
export const reactivated = (name: string) => `${name} can sign in again`;
export const handOver = 'Hand over documents';

// DeactivateDialog.tsx
export const deactivateTitle = (name: string) => `Deactivate ${name}?`;
export const handOverTitle = (name: string) => `Hand over the documents of ${name}`;
export const deactivateAbout = (name: string) =>
  `${name} is signed out everywhere at once. Links, uploads and downloads under way end. The name stays in the history, and you can reactivate the account later.`;
export const newOwner = 'Who owns the uploads from now on?';
export const keepOwners = 'Leave them as they are';
export const deactivateNow = 'Deactivate';
export const handedOver = 'Documents handed over';
export const isDeactivated = (name: string) => `${name} is deactivated and signed out`;

// StayDialog.tsx
export const stayTitle = 'Who stays?';
export const stayAbout = (allowed: number) =>
  `Choose ${plural(allowed, { one: '1 person', other: 'at most # people' })}. The others are deactivated and signed out; nothing of theirs is deleted, and you can reactivate them on a larger plan.`;
export const keepChosen = 'Deactivate the others';
export const othersDeactivated = 'The others are deactivated';

// JoinForm.tsx and join.astro
export const joinTitle = 'Join your firm';
export const joinHeading = (firm: string) => `Join ${firm}`;
export const joinAbout = (inviter: string) => `${inviter} has invited you`;
export const joinSignsOut = (name: string) =>
  `${name} is signed in in this browser. When you accept, ${name} is signed out here.`;
export const yourName = 'Your name';
export const yourEmail = 'You will use this address to sign in.';
export const joinTwoStep = 'Your firm uses two-step sign-in: next, you set it up with an app on your phone.';
export const join = 'Accept and sign in';
export const joining = 'Signing in...';
export const joinFailed = 'The invitation could not be accepted. Please try again.';
export const expiredHeading = 'This invitation is no longer valid';
export const expiredAbout =
  'A link works once, within seven days, and only the newest one works. Ask the person who invited you for a new one.';
export const takenHeading = 'This address already has an account';
export const takenAbout = (email: string, inviter: string) =>
  `${email} belongs to an account of another firm, and an account belongs to one firm only. Ask ${inviter} to invite another address of yours.`;
export const fullHeading = (firm: string) => `${firm} has no seat left`;
export const fullAbout = (inviter: string) =>
  `The firm's plan allows no more people. Ask ${inviter}; your invitation stays valid.`;
