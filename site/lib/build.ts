declare const BUILD_ID: string | undefined;

/** The build id of this page, set by astro.config.mjs. The server publishes its current build id in `/build.txt`. */
export const BUILD = typeof BUILD_ID === 'string' ? BUILD_ID : 'development';
