// Tests drive the system's Chromium; a second one need not be downloaded.
module.exports = { skipDownload: true };
