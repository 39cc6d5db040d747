declare const BUILD_ID: string | undefined;

/** Names this version of the pages (astro.config.mjs); the server has the one that it serves in `/build.txt`. */
export const BUILD = typeof BUILD_ID === 'string' ? BUILD_ID : 'development';
