/** A status line (RFC 9112, 4). The reason may be missing. */
const statusLine = /^HTTP\/\d\.\d +([1-9]\d\d)(?:\s|$)/;

/** Characters of a line that are kept: more than a status line has before its reason. */
const maxLineCharacters = 32;
const lineFeed = 10;

/** Whether a response with this status is the last one. 101 ends HTTP on the connection. */
const isFinal = (status: number): boolean => status === 101 || status > 199;

/**
 * Returns a function that takes the bytes of a connection, in chunks of any size, and calls `found`
 * once with the status of the final response, when its status line is whole. Interim responses are
 * skipped. Headers are not read, so it does not matter whether they can be parsed.
 */
export const createStatusReader = (found: (status: number) => void): ((chunk: Uint8Array) => void) => {
  let line = '';
  let isInHeaders = false;
  let isDone = false;

  const endLine = (): void => {
    const isEmpty = line === '' || line === '\r';
    if (isInHeaders) isInHeaders = !isEmpty;
    else if (!isEmpty) {
      const status = Number(statusLine.exec(line)?.[1]);
      isInHeaders = !isFinal(status);
      // Bytes that are not HTTP have no status.
      isDone = Number.isNaN(status) || isFinal(status);
      if (isFinal(status)) found(status);
    }
    line = '';
  };

  return (chunk) => {
    for (const byte of chunk) {
      if (isDone) return;
      if (byte === lineFeed) endLine();
      else if (line.length < maxLineCharacters) line += String.fromCharCode(byte);
    }
  };
};
