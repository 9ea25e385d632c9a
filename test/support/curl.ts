import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** A call of curl, read from its arguments. */
interface Call {
  readonly urls: readonly string[];
  readonly method: string | undefined;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string | undefined;
  readonly showsHead: boolean;
  /** Whether `-o /dev/null` drops the response. */
  readonly isDropped: boolean;
  readonly writeOut: string;
}

/** Returns the URLs that a range such as `[1-300]` stands for. */
const urlsOf = (pattern: string): readonly string[] => {
  const [range, first, last] = /\[(\d+)-(\d+)\]/.exec(pattern) ?? [];
  if (range === undefined) return [pattern];
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => pattern.replace(range, String(Number(first) + i)));
};

/** Throws for an option that the samples do not use, so that none is ignored. */
const readCall = (args: readonly string[]): Call => {
  const rest = [...args];
  const value = (): string => {
    const next = rest.shift();
    if (next === undefined) throw new Error('An option of curl has no value.');
    return next;
  };
  const headers = new Map([
    ['user-agent', 'curl/8'],
    ['accept', '*/*'],
  ]);
  const data: string[] = [];
  const call = { urls: [] as string[], method: undefined as string | undefined, showsHead: false, isDropped: false, writeOut: '' };
  let isQuery = false;
  const options: Readonly<Record<string, () => unknown>> = {
    '-s': () => {},
    '-G': () => {
      isQuery = true;
    },
    '-i': () => Object.assign(call, { showsHead: true }),
    '-X': () => Object.assign(call, { method: value() }),
    '-d': () => data.push(value()),
    '-w': () => Object.assign(call, { writeOut: value() }),
    '-o': () => {
      const file = value();
      if (file !== '/dev/null') throw new Error(`curl -o ${file}: no sample stores a response.`);
      Object.assign(call, { isDropped: true });
    },
    '-H': () => {
      const [, name = '', content = ''] = /^([^:]+):\s*(.*)$/.exec(value()) ?? [];
      headers.set(name.toLowerCase(), content);
    },
  };
  while (rest.length > 0) {
    const word = value();
    if (!word.startsWith('-')) call.urls.push(...urlsOf(word));
    else if (options[word]) options[word]();
    else throw new Error(`curl ${word} is an option that test/support/curl.ts does not know.`);
  }
  if (isQuery) return { ...call, urls: call.urls.map((url) => `${url}?${data.join('&')}`), headers, body: undefined };
  const body = data.length > 0 ? data.join('&') : undefined;
  if (body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/x-www-form-urlencoded');
  return { ...call, headers, body };
};

const headOf = ({ httpVersion, statusCode, statusMessage, rawHeaders }: IncomingMessage): string => {
  const lines = [`HTTP/${httpVersion} ${statusCode} ${statusMessage}`];
  for (let i = 0; i < rawHeaders.length; i += 2) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
};

/** Sends the requests of a call of curl, one after another, and returns what curl would print. */
export const curl = async (args: readonly string[]): Promise<string> => {
  const { urls, method, headers, body, showsHead, isDropped, writeOut } = readCall(args);
  const agent = new Agent({ keepAlive: true });
  const printed: string[] = [];
  for (const url of urls) {
    const outgoing = request(url, { agent, method: method ?? (body === undefined ? 'GET' : 'POST'), headers: Object.fromEntries(headers) });
    outgoing.end(body);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    const content = await text(response);
    if (!isDropped) printed.push(showsHead ? headOf(response) : '', content);
    printed.push(writeOut.replace('%{http_code}', String(response.statusCode)));
  }
  agent.destroy();
  return printed.join('');
};
