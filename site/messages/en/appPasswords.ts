/** App passwords, by which programs open the vault as a drive. */

export const title = 'App passwords';
export const about =
  'Open the vault as a drive in Windows Explorer, Finder, LibreOffice or a scanner. Each program gets a password of its own, so your account’s password stays with you.';
export const address = 'Address of the drive';
export const addressHint = (email: string) => `User name: <b>${email}</b>. Password: an app password.`;
export const plainAddress =
  'This address is not encrypted, so the drive opens only on the server itself. Ask your administrator for an https address.';
export const copyAddress = 'Copy the address';
export const copyPassword = 'Copy the password';
export const copied = 'Copied';
export const copyBlocked = 'The browser did not allow copying. Select the text and copy it.';
export const none = 'No program has an app password yet.';
export const create = 'New app password';
export const createAction = 'Create';
export const createFailed = 'The app password could not be created. Please try again.';
export const name = 'Where is it used?';
export const namePlaceholder = 'Explorer on office PC';
export const nameRequired = 'Say where it is used, such as "Explorer on office PC"';
export const rights = 'It may';
export const readAndChange = 'Read and change';
export const readOnly = 'Only read';
export const place = 'It opens';
export const wholeVault = 'Everything I see';
export const oneFolder = 'One folder';
export const folder = 'Folder';
export const choose = 'Choose...';
export const chooseFolder = 'Choose a folder';
export const folderChosen = (folder: string) => `Choose ${folder}`;
export const noFolderChosen = 'No folder chosen';
export const folderRequired = 'Choose a folder';
export const madeTitle = 'Your new app password';
export const madeAbout = (name: string) =>
  `Enter it in the program for <b>${name}</b> now. It is shown only this once.`;
export const password = 'App password';
export const done = 'Done';
export const whole = 'Everything you see';
export const folderGone = 'Folder no longer available';
export const mayRead = 'only reads';
export const mayChange = 'reads and changes';
export const unused = (created: string) => `Not used yet · created ${created}`;
export const used = (place: string, when: string) => `${place} · last used: ${when}`;
export const end = 'End';
export const endOne = (name: string) => `End the app password ${name}`;
export const ended = 'The app password has ended';
export const endFailed = 'The app password could not be ended. Please try again.';
export const endQuestion = (name: string) => `End “${name}”?`;
export const endAbout = 'The program that has it can no longer open the vault.';
