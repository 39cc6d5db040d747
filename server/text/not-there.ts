/** True for what is missing and for what is hidden from a user, who must not be able to tell them apart. */
export const notThere = (what: string): string => `This ${what} does not exist, or you have no access to it.`;

export const NO_ITEM = notThere('item');
export const NO_FOLDER = notThere('folder');
export const NO_CLIENT = notThere('client');
