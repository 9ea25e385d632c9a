const loopbackHost = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * A URL that browsers are given, as the URL standard reads it: its `href` is absolute and ASCII, whatever the spelling, so that every browser,
 * header and page reads the same address. Undefined for anything but HTTPS (or, where allowed, plain HTTP to this machine) and for credentials.
 */
export const browserUrl = (text: string, { allowLoopback = false } = {}): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (allowLoopback && url?.protocol === 'http:' && loopbackHost.test(url.hostname));
  return url && isSafe && url.username === '' && url.password === '' ? url : undefined;
};
